"""Figures are drawn without a window, and closed after each test."""

import matplotlib as mpl
import pytest

mpl.use("agg")


@pytest.fixture(autouse=True)
def _close_figures():
    from matplotlib import pyplot as plt

    yield
    plt.close("all")
