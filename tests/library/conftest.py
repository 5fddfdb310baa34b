"""What several tests of the library share."""

import sys

import pytest

from pla_lib import interior_point


@pytest.fixture(params=["cvxopt", "numpy"], scope="module")
def back_end(request):
    """Each test twice: with cvxopt, and with the interior-point method in NumPy, as where there is no cvxopt."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "numpy":
            patch.setitem(sys.modules, "pla_lib.with_cvxopt", None)
        interior_point.back_end.cache_clear()
        expected = {"cvxopt": "pla_lib.with_cvxopt", "numpy": "pla_lib.interior_point"}
        assert interior_point.back_end().__name__ == expected[request.param]
        yield
    interior_point.back_end.cache_clear()
