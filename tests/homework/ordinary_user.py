"""Run a command as an ordinary user, also when root runs the tests."""

import os
import sys
from pathlib import Path

from tests import ROOT

NOBODY = 65534


def as_ordinary_user(command: list[str]) -> list[str]:
    """The command that does this. What it writes has to go where everyone, or user 65534, may write.

    Python often lies in root's home, which is closed to others. There, bubblewrap shows an empty folder in its place,
    and in it only Python and this repository.
    """
    if os.geteuid() != 0:
        return command
    needed = [Path(each).resolve() for each in (sys.base_prefix, sys.prefix, ROOT)]
    closed = {parent for each in needed for parent in each.parents if not parent.stat().st_mode & 0o001}
    arguments = ["--dev-bind", "/", "/"]
    for place in sorted(place for place in closed if not closed & set(place.parents)):
        arguments += ["--perms", "0755", "--tmpfs", str(place)]
        for each in needed:
            if each.is_relative_to(place):
                for parent in reversed(each.relative_to(place).parents[:-1]):
                    arguments += ["--perms", "0755", "--dir", str(place / parent)]
                arguments += ["--ro-bind", str(each), str(each)]
    arguments += ["--chdir", str(ROOT), "--setenv", "HOME", "/tmp", "--die-with-parent"]
    arguments += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return ["bwrap", *arguments, *become, *command]
