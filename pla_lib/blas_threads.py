"""One thread for linear algebra while a solver or a kernel run goes on."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import RLock

_turn = RLock()  # one that a solver may take again, for a solver it calls


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit NumPy's and cvxopt's linear algebra to one thread; as a decorator, for a whole function.

    They multiply matrices so small that more threads gain nothing. On a busy machine these threads wait for each
    other, several times as long as one thread needs for the work.

    The limit holds for the whole process, and a library remembers one limit only. So calls in different threads of a
    program take turns: if they overlapped, the last one to end would put back the limit of another.
    """
    with _turn, _libraries().limit(limits=1):
        yield


@cache
def _libraries():
    """The linear algebra libraries of this process. They are looked for once, with NumPy's and cvxopt's loaded."""
    import numpy  # noqa: F401 - loads its library
    from threadpoolctl import ThreadpoolController

    with suppress(ImportError):  # in the browser there is no cvxopt
        import cvxopt  # noqa: F401 - loads its library
    return ThreadpoolController().select(user_api="blas")
