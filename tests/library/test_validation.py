"""What every public function refuses: bad values for each of its parameters, from one table."""

import inspect
import re
from fractions import Fraction

import numpy as np
import pytest

import pla_lib
from pla_lib import blobs, linear_kernel, perceptron, quadratic, with_margin

X, Y = [[0.0, 1.0], [1.0, 0.0]], [1, -1]
RUN = perceptron(X, Y)

# A call of each function that is right, by name. Parameters that are not here have defaults.
CALLS = {
    "best_comparator": {"X": X, "y": Y},
    "blobs": {},
    "disc_in_ring": {},
    "fourier_features": {"d": 2, "count": 3, "seed": 0},
    "gaussian_kernel": {"scale": 1.0},
    "hinge_loss": {"theta": [0, 1, 1], "X": X, "y": Y},
    "hinge_mistake_bound": {"run": RUN, "w": [0, 1, 1]},
    "ill_scaled": {},
    "is_subgradient": {"loss": "hinge", "v": [0.0], "theta": [0], "x": [1], "y": 1, "others": [[1]]},
    "kernel_perceptron": {"X": X, "y": Y, "kernel": linear_kernel},
    "label_noise": {"data": blobs(), "share": 0.1},
    "ledger": {"run": RUN, "theta": RUN.theta},
    "loss_landscape": {"run": perceptron(X, Y, bias=False)},
    "max_margin": {"X": X, "y": Y},
    "mistake_bound": {"X": X, "y": Y, "theta": RUN.theta},
    "multiclass_perceptron": {"X": X, "labels": ["a", "b"]},
    "online_perceptron": {"stream": list(zip(X, Y, strict=True))},
    "perceptron": {"X": X, "y": Y},
    "perceptron_loss": {"theta": [0, 1, 1], "X": X, "y": Y},
    "pocket": {"X": X, "y": Y},
    "polynomial": {"degree": 2},
    "polynomial_kernel": {"degree": 2},
    "rocchio": {"X": X, "y": Y},
    "semicircles": {},
    "separability": {"X": X, "y": Y},
    "sgd": {"X": X, "y": Y},
    "soft_margin": {"X": X, "y": Y, "C": 1},
    "soft_margin_path": {"X": X, "y": Y, "Cs": [1]},
    "soft_margin_slider": {"X": X, "y": Y, "Cs": [1, 2]},
    "stepper": {"run": RUN},
    "subdifferential": {"loss": "hinge", "theta": [0, 0], "x": [1], "y": 1},
    "three_boundaries": {"run": RUN, "test": blobs()},
    "proof_ledger": {"run": RUN, "theta": RUN.theta},
    "averaged": {"run": RUN},
    "voted": {"run": RUN, "X": X},
    "with_constant": {"phi": quadratic},
    "with_margin": {},
    "worst_case": {"k": 2},
    "zero_one_loss": {"theta": [0, 1, 1], "X": X, "y": Y},
}

# What no parameter of a kind may be, and what each must take.
COUNT = [True, False, np.True_, 0, -1, 2.0, 1.5, np.float64(3), np.nan, np.inf, "3", None, [3]]
NUMBER = [True, np.True_, -1, np.nan, np.inf, -np.inf, "1", None, [1.0, 2.0], 1j]
POSITIVE = [0, 0.0, Fraction(0), *NUMBER]
FLAG = ["yes", "", 0, 1, None, 0.0, [True]]
WORD = ["", "Mistake", "no such word", None, True, 1, ["mistake"]]
SEED = [True, False, -1, 1.0, 0.5, np.nan, "0", [0], np.random.default_rng(0)]
ORDER = ["", "sorted", None, True, 3, [], [0.0], [True], [[0, 1]], [2], [-1], [np.nan], ["0"]]
OBJECT = [None, X, "run", 3, blobs()]
MATRIX = [None, "X", 3, [], [[]], [[np.nan, 1], [1, 0]], [[np.inf, 1], [1, 0]], [[1, 2], [3]], [["a", "b"]], [[1j, 1]]]
LABELS = [None, "y", 1, [1], [0, 1], [1, 2], [np.nan, 1], [[1], [-1]], ["spam", "ham"]]
VECTOR = ["theta", [np.nan] * 3, [np.inf] * 3, [1, 2, 3, 4, 5], ["a", "b", "c"], [[1, 2, 3]], 1j]

BAD = {
    "max_epochs": COUNT,
    "epochs": COUNT,
    "n": COUNT,
    "d": COUNT,
    "k": COUNT,
    "count": COUNT,
    "degree": COUNT,
    "C": POSITIVE,
    "Cs": [[value] for value in POSITIVE],
    "eta": POSITIVE,
    "step": POSITIVE,
    "scale": POSITIVE,
    "radius": POSITIVE,
    "margin": POSITIVE,
    "gap": NUMBER,
    "share": [*NUMBER, 1.1],
    "kink": [*NUMBER, 1.1],
    "constant": NUMBER,
    "middle": [True, None, "ab", 1, (1, 2, 3), (np.nan, 0), ("1", "2")],
    "bias": FLAG,
    "keep": FLAG,
    "tie": WORD,
    "rounds": WORD,
    "loss": WORD,
    "order": ORDER,
    "seed": SEED,
    "kernel": [None, "linear", 3, X],
    "phi": [None, "quadratic", 3, X],
    "stream": [None, 3],
    "run": OBJECT,
    "X": MATRIX,
    "y": LABELS,
    "labels": [None, "ab", 1, [1], ["a", "a"], [np.nan, 1], [None, "a"], [["a"], ["b"]]],
    "theta0": VECTOR,
    "theta": [None, *VECTOR],
    "w": [None, *VECTOR],
}
ELSEWHERE = {  # tested with the function's own tests, for what they are differs from function to function
    ("data", "label_noise"),
    ("test", "three_boundaries"),
    ("y", "subdifferential"),
    ("y", "is_subgradient"),
    ("v", "is_subgradient"),
    ("x", "is_subgradient"),
    ("x", "subdifferential"),
    ("others", "is_subgradient"),
}


def call(name: str, **change):
    """Call a public function; a generator is read to its end, for it checks some of its input on the way."""
    result = getattr(pla_lib, name)(**(CALLS[name] | change))
    return list(result) if inspect.isgenerator(result) else result


def parameters(name: str) -> list[str]:
    return list(inspect.signature(getattr(pla_lib, name)).parameters)


CASES = [(name, parameter) for name in CALLS for parameter in parameters(name) if (parameter, name) not in ELSEWHERE]


def refusal(name: str, parameter: str, value) -> str:
    """What a function says to a bad value; what else it does."""
    try:
        call(name, **{parameter: value})
    except ValueError as error:  # ours, not a subclass that NumPy or a solver raised on the way
        return str(error) if type(error) is ValueError else repr(error)
    except Exception as error:
        return repr(error)
    return "nothing: it takes it"


@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_bad_values_are_refused_in_words(name, parameter):
    said = {repr(value): refusal(name, parameter, value) for value in BAD[parameter]}
    wanted = re.compile(r"\b(must|needs?|needed|takes)\b.+\b(given|gives?|shape|holds?|finite|differ|are|have)\b")
    assert {value: words for value, words in said.items() if not wanted.search(words)} == {}


@pytest.mark.parametrize("name", CALLS)
def test_right_value_is_taken(name):
    call(name)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("multiclass_perceptron", {"max_epochs": np.int64(5)}),
        ("perceptron", {"max_epochs": np.int32(5), "seed": np.uint8(3), "order": "random", "eta": np.float32(0.5)}),
        ("perceptron", {"bias": np.False_, "order": np.array([1, 0]), "eta": Fraction(1, 2)}),
        ("sgd", {"epochs": np.int16(2), "kink": np.float64(0.5), "step": np.int64(2)}),
        ("kernel_perceptron", {"max_epochs": np.int64(5), "seed": np.int64(1)}),
        ("polynomial", {"degree": np.int64(3)}),
        ("soft_margin", {"C": np.float64(2)}),
        ("soft_margin", {"C": np.array(2)}),
        ("soft_margin", {"C": Fraction(1, 3)}),
        ("blobs", {"n": np.int64(4), "seed": np.int64(7)}),
        ("blobs", {"seed": None}),
        ("fourier_features", {"d": np.int64(2), "count": np.int64(3), "scale": np.float32(2)}),
        ("worst_case", {"k": np.int64(4), "bias": np.True_}),
    ],
)
def test_numbers_of_numpy_are_taken(name, change):
    call(name, **change)


def test_no_public_function_is_left_out():
    """Every function that takes arguments is in the table, or its arguments are not numbers, words or arrays."""
    free = {"check", "expect", "own_seed", "two_classes", "quiz", "hyperplane_explorer", "playground"}
    drawn = {"margin_explorer", "stream_explorer", "feature_lift", "linear_kernel", "quadratic"}
    functions = {name for name in pla_lib.__all__ if inspect.isfunction(getattr(pla_lib, name)) and parameters(name)}
    assert functions - free - drawn == set(CALLS)


def test_multiclass_perceptron_counts_true_as_no_number():
    with pytest.raises(ValueError, match="max_epochs must be a whole number of at least 1; it was given True"):
        pla_lib.multiclass_perceptron(X, ["a", "b"], max_epochs=True)


def test_margin_must_be_below_the_radius():
    with pytest.raises(
        ValueError, match=r"margin must be a number above 0 and below the radius, 1\.0; it was given 1\.5"
    ):
        with_margin(margin=1.5)
