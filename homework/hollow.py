"""A pla_lib with its data but without its answers: for tasks in which students write what the library has."""

import shutil
from pathlib import Path

import pla_lib

SHELL = '''

class CalledPlaLib(BaseException):
    """Not an Exception, so that it is not taken for one of the hand-in's own."""


class _Shell:
    def __init__(self, name):
        self.__name__ = name

    def __call__(self, *arguments, **options):
        raise CalledPlaLib(f"{self.__name__} of pla_lib is used here, and this task asks for your own code")

    def __getattr__(self, name):
        return _Shell(f"{self.__name__}.{name}")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Shell(name)
'''


def hollow(folder: Path) -> Path:
    """Write the package into a folder. Every name can be imported; only the data sets do what they say."""
    package, whole = folder / "pla_lib", Path(pla_lib.__file__).parent
    for path in whole.rglob("*.py"):
        copy = package / path.relative_to(whole)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(SHELL)
    for module in ("datasets.py", "validation.py"):
        shutil.copy(whole / module, package / module)
    shutil.copytree(whole / "data", package / "data", dirs_exist_ok=True)
    data = ", ".join(pla_lib._HOME["datasets"])
    (package / "__init__.py").write_text(f"from pla_lib.datasets import {data}\n{SHELL}")
    return package
