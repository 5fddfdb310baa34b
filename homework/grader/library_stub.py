"""A pla_lib with the data sets but without the answers, for questions in which students write what the library has."""

import shutil
from pathlib import Path

import pla_lib

STUB = '''

class LibraryCalled(BaseException):
    """Not an Exception, so that a hand-in that catches every Exception does not catch it."""


class _Stub:
    def __init__(self, name):
        self.__name__ = name

    def __call__(self, *arguments, **options):
        raise LibraryCalled(f"your code calls {self.__name__} of pla_lib, but this task asks for your own code")

    def __getattr__(self, name):
        return _Stub(f"{self.__name__}.{name}")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Stub(name)
'''


def write_library_stub(folder: Path) -> Path:
    """Write the package into a folder. Every name can be imported, but only the data sets work."""
    package, library = folder / "pla_lib", Path(pla_lib.__file__).parent
    for path in library.rglob("*.py"):
        copy = package / path.relative_to(library)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(STUB)
    for module in ("datasets.py", "validation.py"):
        shutil.copy(library / module, package / module)
    shutil.copytree(library / "data", package / "data", dirs_exist_ok=True)
    data_sets = ", ".join(pla_lib._HOME["datasets"])
    every_name = sorted(name for names in pla_lib._HOME.values() for name in names)
    (package / "__init__.py").write_text(f"from pla_lib.datasets import {data_sets}\n__all__ = {every_name}\n{STUB}")
    return package
