"""Labelled data: examples x in R^d, one to a row of X, and labels y in {-1, +1}."""

from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from unicodedata import normalize

import numpy as np

from pla_lib.validation import (
    examples,
    labels,
    positive_number,
    random_seed,
    real_number,
    true_or_false,
    vector,
    whole_number,
)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples and labels, checked once; unpacks as `X, y`.

    Parameters
    ----------
    X : array_like, shape (n, d)
        One example per row. Rows of `fractions.Fraction` stay exact; everything else becomes float. An array of
        floats is not copied, so do not write to it while you use what was made from it.
    y : array_like, shape (n,)
        Labels, each -1 or +1.

    Attributes
    ----------
    X : numpy.ndarray, shape (n, d)
        The examples, as floats or fractions.
    y : numpy.ndarray, shape (n,)
        The labels, as integers.

    Raises
    ------
    ValueError
        If X or y is empty, not finite, not real, or of a shape that does not fit.

    Notes
    -----
    All chapters use it.

    Examples
    --------
    >>> X, y = Dataset([[2, 1], [0, 3]], [+1, -1])
    >>> X.shape, y.tolist()
    ((2, 2), [1, -1])
    """

    X: np.ndarray
    y: np.ndarray

    def __post_init__(self) -> None:
        X = examples(self.X)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", labels(self.y, len(X)))

    def __iter__(self):
        return iter((self.X, self.y))


def blobs(n: int = 20, *, gap: float = 0.5, middle: tuple[float, float] = (2.0, 1.0), seed: int = 0) -> Dataset:
    """Two round clouds in the plane, +1 to the upper right of -1, that a line can separate.

    The n points lie in two discs of radius one, every other point in each. The strip between the discs, whose normal
    points 35 degrees upwards, has its middle away from the origin: a line that separates the clouds needs an offset.
    Chapter 02.

    Parameters
    ----------
    n : int, default 20
        How many points, at least 2.
    gap : float, default 0.5
        The distance between the edges of the discs, positive.
    middle : pair of float, default (2.0, 1.0)
        The middle of the strip.
    seed : int, default 0
        The same seed gives the same data. With None the data differ each time.

    Returns
    -------
    Dataset
        The examples and their labels.

    Examples
    --------
    >>> X, y = blobs(6)
    >>> X.shape, y.tolist()
    ((6, 2), [1, -1, 1, -1, 1, -1])
    """
    whole_number(n, "n", least=2)
    positive_number(gap, "gap")
    middle = vector(middle, "middle", 2, "a point of the plane")
    rng = np.random.default_rng(random_seed(seed))
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    radius, angle = np.sqrt(rng.random(n)), rng.uniform(0, 2 * np.pi, n)
    tilt = np.deg2rad(35)
    to_centre = (1 + gap / 2) * np.array([np.cos(tilt), np.sin(tilt)])
    return Dataset(middle + y[:, None] * to_centre + radius[:, None] * np.c_[np.cos(angle), np.sin(angle)], y)


@dataclass(frozen=True, eq=False)
class KnownDataset(Dataset):
    """Data whose separator is known: `theta` has this `margin` on them, and no example is longer than `radius`.

    Chapter 04.

    Attributes
    ----------
    X : numpy.ndarray, shape (n, d)
        The examples.
    y : numpy.ndarray, shape (n,)
        The labels.
    theta : numpy.ndarray, shape (d,)
        A separator of length one, through the origin.
    margin : float
        The distance of the nearest example from the hyperplane of `theta`.
    radius : float
        The length of the longest example.
    """

    theta: np.ndarray
    margin: float
    radius: float


def with_margin(n: int = 100, d: int = 2, *, margin: float = 0.1, radius: float = 1.0, seed: int = 0) -> KnownDataset:
    """Examples that a hyperplane through the origin separates with a chosen margin.

    They fill a ball with an empty slab through its centre, +1 above it and -1 below. The separator `theta` is the
    slab's normal, of length one. Chapter 04.

    Parameters
    ----------
    n : int, default 100
        How many examples, at least 2.
    d : int, default 2
        How many features, at least 2.
    margin : float, default 0.1
        The distance of the nearest example from the hyperplane; positive and smaller than the radius.
    radius : float, default 1.0
        The distance of the farthest example from the centre.
    seed : int, default 0
        The same seed gives the same data. With None the data differ each time.

    Returns
    -------
    KnownDataset
        The examples and labels, with their `theta`, `margin` and `radius`.

    Examples
    --------
    >>> data = with_margin(50, 20, margin=0.2)
    >>> X, y = data
    >>> float((y * (X @ data.theta)).min().round(12)), float(np.linalg.norm(X, axis=1).max().round(12))
    (0.2, 1.0)
    """
    whole_number(n, "n", least=2)
    whole_number(d, "d", least=2)
    positive_number(radius, "radius")
    real_number(margin, "margin", f"a number above 0 and below the radius, {radius}", lambda m: 0 < m < radius)
    rng = np.random.default_rng(random_seed(seed))
    theta = rng.normal(size=d)
    theta /= np.linalg.norm(theta)
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    height = rng.uniform(margin, radius, n)
    height[0] = margin
    aside = rng.normal(size=(n, d))
    aside -= np.outer(aside @ theta, theta)
    aside /= np.linalg.norm(aside, axis=1)[:, None]
    reach = np.sqrt(radius**2 - height**2)
    width = reach * rng.random(n) ** (1 / (d - 1))
    width[-1] = reach[-1]
    return KnownDataset(np.outer(y * height, theta) + width[:, None] * aside, y, theta, margin, radius)


def semicircles(n: int = 20, *, gap: float = 20, seed: int = 0) -> Dataset:
    """Points on the unit circle, +1 on the right half and -1 on the left.

    A line through the origin separates them: Elkan's example. Chapter 02.

    Parameters
    ----------
    n : int, default 20
        How many points, at least 2.
    gap : float, default 20
        How many degrees are left free between the two arcs, above 0 and below 180.
    seed : int, default 0
        The same seed gives the same data. With None the data differ each time.

    Returns
    -------
    Dataset
        The examples and their labels.

    Examples
    --------
    >>> X, y = semicircles(6)
    >>> bool((np.sign(X[:, 0]) == y).all())
    True
    """
    whole_number(n, "n", least=2)
    real_number(gap, "gap", "a number of degrees above 0 and below 180", lambda gap: 0 < gap < 180)
    rng = np.random.default_rng(random_seed(seed))
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    angle = np.deg2rad(rng.uniform(gap / 2 - 90, 90 - gap / 2, n))
    return Dataset(y[:, None] * np.c_[np.cos(angle), np.sin(angle)], y)


def disc_in_ring(n: int = 100, *, gap: float = 0.2, seed: int = 0) -> Dataset:
    r"""A disc, -1, within a ring, +1, which no line separates.

    The label says whether :math:`x_1^2 + x_2^2 \ge 1`. The disc has radius :math:`1 - \text{gap}`, and the ring reaches
    from :math:`1 + \text{gap}` to 2. Chapter 07.

    Parameters
    ----------
    n : int, default 100
        How many points, at least 2.
    gap : float, default 0.2
        How far disc and ring keep away from the unit circle, from 0 to below 1.
    seed : int, default 0
        The same seed gives the same data. With None the data differ each time.

    Returns
    -------
    Dataset
        The examples and their labels.

    Examples
    --------
    >>> X, y = disc_in_ring(10)
    >>> bool((np.where((X**2).sum(axis=1) >= 1, 1, -1) == y).all())
    True
    """
    whole_number(n, "n", least=2)
    real_number(gap, "gap", "a number of at least 0 and below 1", lambda gap: 0 <= gap < 1)
    rng = np.random.default_rng(random_seed(seed))
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    inner, outer = np.where(y > 0, 1 + gap, 0), np.where(y > 0, 2, 1 - gap)
    radius = np.sqrt(inner**2 + rng.random(n) * (outer**2 - inner**2))
    angle = rng.uniform(0, 2 * np.pi, n)
    return Dataset(radius[:, None] * np.c_[np.cos(angle), np.sin(angle)], y)


def xor() -> Dataset:
    """The four corners of a square, +1 where exactly one coordinate is 1.

    No line separates them. Chapter 10.

    Returns
    -------
    Dataset
        The examples and their labels.

    Examples
    --------
    >>> xor().y.tolist()
    [-1, 1, 1, -1]
    """
    return Dataset([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])


def label_noise(data: Dataset, share: float, *, seed: int = 0) -> Dataset:
    """The same examples with a share of the labels flipped at random.

    Chapters 06 and 09.

    Parameters
    ----------
    data : Dataset
        The examples and their labels, or another pair (X, y).
    share : float
        The share of labels to flip, from 0 to 1, rounded to whole examples.
    seed : int, default 0
        The same seed gives the same data. With None the data differ each time.

    Returns
    -------
    Dataset
        The examples and their labels.

    Examples
    --------
    >>> clean = blobs(20)
    >>> int((label_noise(clean, 0.1).y != clean.y).sum())
    2
    """
    real_number(share, "share", "the share of labels to flip, from 0 to 1", lambda share: 0 <= share <= 1)
    X, y = data
    flipped = np.random.default_rng(random_seed(seed)).permutation(len(y))[: round(share * len(y))]
    y = y.copy()
    y[flipped] *= -1
    return Dataset(X, y)


def ill_scaled(n: int = 40, *, seed: int = 0) -> Dataset:
    """Blobs far from the origin, with one feature in thousands and one in thousandths.

    Chapter 05.

    Parameters
    ----------
    n : int, default 40
        How many points, at least 2.
    seed : int, default 0
        The same seed gives the same data. With None the data differ each time.

    Returns
    -------
    Dataset
        The examples and their labels.

    Examples
    --------
    >>> X, y = ill_scaled()
    >>> bool(np.ptp(X, axis=0).max() > 1e5 * np.ptp(X, axis=0).min())
    True
    """
    X, y = blobs(n, seed=seed)
    return Dataset((X + np.array([50, -50])) * [1e3, 1e-3], y)


def worst_case(k: int, *, bias: bool = False) -> Dataset:
    """k examples on which the perceptron makes k mistakes, as many as the convergence theorem allows.

    Chapter 04.

    Parameters
    ----------
    k : int
        How many examples, at least 2; with an offset a power of two.
    bias : bool, default False
        Whether the perceptron will learn an offset.

    Returns
    -------
    Dataset
        The examples and their labels.

    Notes
    -----
    Every score is a tie until its example has been a mistake, because the examples, as the algorithm takes them, are
    orthogonal and of one length. Without offset they are the standard basis. With offset, for k = 2, 4, 8, ..., they
    are the corners of a simplex: the rows of a Hadamard matrix without their leading 1. This holds for
    ``tie="mistake"`` only.

    Examples
    --------
    >>> worst_case(4, bias=True).X.tolist()
    [[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0]]
    """
    whole_number(k, "k", least=2)
    if true_or_false(bias, "bias") and k & (k - 1):
        raise ValueError(f"with an offset worst_case needs a power of two for k; it was given {k}")
    if not bias:
        return Dataset(np.eye(k), np.where(np.arange(k) % 2 == 0, 1, -1))
    hadamard = np.ones((1, 1))
    while len(hadamard) < k:
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]])
    return Dataset(hadamard[:, 1:], np.where(np.arange(k) % 2 == 0, 1, -1))


def iris() -> tuple[np.ndarray, np.ndarray]:
    """The measurements of 150 irises and the species of each.

    Measured by Edgar Anderson, published by R. A. Fisher (The use of multiple measurements in taxonomic problems,
    Annals of Eugenics 7, 1936); from the UCI Machine Learning Repository, CC BY 4.0. Chapter 06.

    Returns
    -------
    X : numpy.ndarray, shape (150, 4)
        Length and width of sepal and petal, in centimetres.
    species : numpy.ndarray, shape (150,)
        ``"setosa"``, ``"versicolor"`` or ``"virginica"``.

    Examples
    --------
    >>> X, species = iris()
    >>> X[0].tolist(), str(species[0])
    ([5.1, 3.5, 1.4, 0.2], 'setosa')
    """
    stored = _stored("iris")
    return stored["X"] / 10, np.array(["setosa", "versicolor", "virginica"])[stored["species"]]


def digits() -> tuple[np.ndarray, np.ndarray]:
    """1797 handwritten digits and which digit each is.

    E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits (1998), the test part, from the UCI Machine
    Learning Repository, CC BY 4.0, as scikit-learn distributes it. Chapters 05, 06, 07, 09 and 10.

    Returns
    -------
    X : numpy.ndarray, shape (1797, 64)
        Pictures of 8 by 8 pixels, each from 0 to 16.
    digit : numpy.ndarray, shape (1797,)
        The digits, from 0 to 9.

    Examples
    --------
    >>> X, digit = digits()
    >>> X.shape, digit[:5].tolist()
    ((1797, 64), [0, 1, 2, 3, 4])
    """
    stored = _stored("digits")
    return stored["X"].astype(float), stored["digit"].astype(int)


def two_classes(X, labels, plus, minus) -> Dataset:
    """The examples of two of several classes, as +1 and -1, in their order.

    All chapters.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row.
    labels : array_like, shape (n,)
        The class of each example.
    plus, minus : object
        The labels that become +1 and -1.

    Returns
    -------
    Dataset
        The examples and their labels.

    Examples
    --------
    >>> two_classes(*iris(), "setosa", "virginica").X.shape
    (100, 4)
    """
    labels = np.asarray(labels)
    for label in (plus, minus):
        if label not in labels:
            raise ValueError(
                f"no example has the label {label!r}; there are {', '.join(map(repr, np.unique(labels).tolist()))}"
            )
    chosen = (labels == plus) | (labels == minus)
    return Dataset(np.asarray(X)[chosen], np.where(labels[chosen] == plus, 1, -1))


def own_seed(student: str, task: str) -> int:
    """A seed made from a student's id and a task's name, for data of one's own.

    The seed is the same wherever it is made. Capitals and spaces around the id do not matter, nor does it matter
    whether an accented letter is one character or a letter and a combining accent, as in the names of folders on a
    Mac. For the homework of all chapters.

    Parameters
    ----------
    student : str
        The student's id.
    task : str
        The name of the task.

    Returns
    -------
    int
        A seed for one of the data sets, such as `blobs`.

    Examples
    --------
    >>> own_seed("ada", "ps1"), own_seed(" Ada", "ps1"), own_seed("bob", "ps1")
    (1586110430, 1586110430, 454295301)
    >>> own_seed("Zoe\N{COMBINING DIAERESIS}", "ps1") == own_seed("zo\N{LATIN SMALL LETTER E WITH DIAERESIS}", "ps1")
    True
    """
    if not isinstance(student, str) or not student.strip():
        raise ValueError(f"own_seed needs a student's id, a string such as 'ada01'; it was given {student!r}")
    name = normalize("NFC", student.strip().lower())
    return int.from_bytes(sha256(f"{name} {task}".encode()).digest()[:4])


def _stored(name: str) -> dict[str, np.ndarray]:
    with resources.as_file(resources.files("pla_lib") / "data" / f"{name}.npz") as path, np.load(path) as arrays:
        return dict(arrays)
