"""Widest margins, hard and soft: one interior-point solver for both. (Chapters 05 and 06.)"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from pla_lib.blas_threads import one_blas_thread
from pla_lib.datasets import Dataset
from pla_lib.geometry import Hyperplane
from pla_lib.interior_point import Linear, back_end
from pla_lib.validation import both_classes, positive_float, true_or_false

# The relative gap asked of the solver, and how often it refines each step. Near the limits of double precision, to ask
# too much can spoil an answer: as long as an attempt misses GOOD, the next one asks for less or takes more care.
ATTEMPTS = ((1e-12, 0), (1e-10, 1), (1e-8, 1))
GOOD, USABLE, ROUNDING = 1e-9, 1e-6, np.finfo(float).eps


class NotSeparable(ValueError):
    r"""No hyperplane separates the examples, and `certificate` proves it.

    Chapters 05 and 10.

    Attributes
    ----------
    certificate : numpy.ndarray, shape (n,)
        Weights :math:`\lambda \ge 0` that sum to 1, with :math:`\sum_i \lambda_i y_i x_i = 0`, the 1 in front of x if
        there is an offset. For a separator :math:`\theta`, :math:`\sum_i \lambda_i y_i\,\theta^\top x_i` would be
        positive.
    """

    def __init__(self, certificate: np.ndarray) -> None:
        super().__init__(
            "no hyperplane separates these examples, so they have no hard margin; the weights in `certificate` prove "
            "it, and soft_margin(X, y, C) allows for slack"
        )
        self.certificate = certificate


@dataclass(frozen=True, eq=False)
class Margin:
    r"""A hyperplane of widest margin, hard or soft, and the dual variables that prove it.

    Chapters 05 and 06.

    Attributes
    ----------
    theta : numpy.ndarray, shape (d + 1,) or (d,)
        [b, w] with offset, w without.
    alpha : numpy.ndarray, shape (n,)
        The dual variables: :math:`w = \sum_i \alpha_i y_i x_i`, :math:`0 \le \alpha_i \le C/N`.
    slack : numpy.ndarray, shape (n,)
        :math:`\xi_i = \max(0, 1 - y_i (w^\top x_i + b))`; zeros for the hard margin.
    objective : float
        :math:`\frac12 \lVert w \rVert^2 + \frac{C}{N} \sum_i \xi_i`.
    gap : float
        (objective - dual objective) / objective. The least possible objective is smaller by at most this share.
    bias : bool
        Whether there is an offset.
    """

    theta: np.ndarray
    alpha: np.ndarray
    slack: np.ndarray
    objective: float
    gap: float
    bias: bool

    @property
    def w(self) -> np.ndarray:
        """The weights without the offset, shape (d,)."""
        return self.theta[1:] if self.bias else self.theta

    @property
    def hyperplane(self) -> Hyperplane:
        r"""The hyperplane :math:`w^\top x + b = 0`, canonical for the hard margin.

        Where w = 0 there is none, and a ValueError says so.
        """
        return Hyperplane(self.w, self.theta[0] if self.bias else 0.0)

    @property
    def margin(self) -> float:
        r""":math:`1 / \lVert w \rVert`, infinite where w = 0."""
        return float(1 / np.linalg.norm(self.w)) if self.w.any() else np.inf

    @property
    def support(self) -> np.ndarray:
        r"""The indices of the support vectors, the examples with :math:`\alpha_i > 0`.

        :math:`\alpha_i` times the distance from its constraint, zero in theory, is about as large as the gap. So the
        root of the gap tells them apart: an :math:`\alpha_i` that should be zero lies below, one that should not,
        above.
        """
        return np.flatnonzero(self.alpha > np.sqrt(self.gap) * self.alpha.max())

    def __repr__(self) -> str:
        return f"Margin({self.margin:.6g}, {len(self.support)} support vectors of {len(self.alpha)} examples)"


@one_blas_thread()
def max_margin(X, y, *, bias: bool = True) -> Margin:
    r"""Find the hyperplane of widest margin, the hard-margin support vector machine.

    Chapter 05.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row. Fractions become floats.
    y : array_like, shape (n,)
        Labels, each -1 or +1; with an offset both must occur.
    bias : bool, default True
        Have an offset b. Without one the hyperplane goes through the origin, and is another one.

    Returns
    -------
    Margin
        The hyperplane, its margin and the dual variables.

    Raises
    ------
    NotSeparable
        With a certificate, if no hyperplane separates the examples.

    Notes
    -----
    .. math:: \min_{w, b} \tfrac12 \lVert w \rVert^2 \quad \text{subject to} \quad y_i (w^\top x_i + b) \ge 1.

    Examples
    --------
    >>> widest = max_margin([[6, 5], [4, 2], [2, 0], [0, 0]], [+1, +1, -1, -1])
    >>> widest
    Margin(1.41421, 2 support vectors of 4 examples)
    >>> widest.theta.round(6).tolist(), widest.support.tolist()
    ([-2.0, 0.5, 0.5], [1, 2])
    """
    X, y = Dataset(X, y)
    if true_or_false(bias, "bias"):
        both_classes(y, "a margin lies between two classes")
    answer = _best(_Problem(X, y, bias).hard)
    if not _separates_surely(answer, X.astype(float), y):
        from pla_lib.limits import Inseparable, separability

        verdict = separability(X, y, bias=bias)
        if isinstance(verdict, Inseparable):
            raise NotSeparable(verdict.weights)
    return _usable(answer)


def soft_margin(X, y, C: float, *, bias: bool = True) -> Margin:
    r"""Find the best compromise of margin and slack, the soft-margin support vector machine.

    Chapter 06.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row. Fractions become floats.
    y : array_like, shape (n,)
        Labels, each -1 or +1. If all are equal and there is an offset, the answer is w = 0, b = y.
    C : float
        What slack costs, positive. This is Bloch's C; scikit-learn's is C/N.
    bias : bool, default True
        Have an offset b; it is no part of :math:`\lVert w \rVert`.

    Returns
    -------
    Margin
        The hyperplane, its margin, the slacks and the dual variables.

    Notes
    -----
    .. math::
       \min_{w, b, \xi} \tfrac12 \lVert w \rVert^2 + \tfrac{C}{N} \sum_i \xi_i
       \quad \text{subject to} \quad y_i (w^\top x_i + b) \ge 1 - \xi_i, \; \xi_i \ge 0.

    Examples
    --------
    >>> soft = soft_margin([[0], [1], [2], [4]], [-1, -1, +1, +1], C=1)
    >>> soft.theta.round(6).tolist(), soft.slack.round(6).tolist()
    ([-1.0, 0.5], [0.0, 0.5, 1.0, 0.0])
    """
    return soft_margin_path(X, y, [C], bias=bias)[0]


@one_blas_thread()
def soft_margin_path(X, y, Cs: Iterable[float], *, bias: bool = True) -> list[Margin]:
    """Solve `soft_margin` for each of many values of C.

    Chapter 06.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Examples, one per row.
    y : array_like, shape (n,)
        Labels, each -1 or +1.
    Cs : iterable of float
        The values of C, each positive.
    bias : bool, default True
        Have an offset.

    Returns
    -------
    list of Margin
        One answer per C, in their order.

    Examples
    --------
    >>> [round(soft.margin, 3) for soft in soft_margin_path([[0], [2]], [-1, +1], [0.5, 1, 100])]
    [2.0, 1.0, 1.0]
    """
    prices = [positive_float(C, "C") for C in Cs]
    problem = _Problem(*Dataset(X, y), true_or_false(bias, "bias"))
    return [_usable(_best(partial(problem.soft, C))) for C in prices]


def _separates_surely(answer: Margin, X: np.ndarray, y: np.ndarray) -> bool:
    """Is every y * score further above zero than the rounding of d + 1 products and their sum can account for?"""
    w, b = answer.w, answer.theta[0] if answer.bias else 0.0
    with np.errstate(all="ignore"):  # no theta, no separation
        return bool(np.all(y * (X @ w + b) > (X.shape[1] + 2) * ROUNDING * (abs(X) @ abs(w) + abs(b))))


def _best(solve: Callable[[float, int], Margin]) -> Margin:
    """The first good answer, or else the one with the smallest gap."""
    answers = []
    with np.errstate(all="ignore"):  # a solver that fails divides by zero on its way; the gap is then infinite
        for attempt in ATTEMPTS:
            answers.append(solve(*attempt))
            if answers[-1].gap <= GOOD:
                break
    return min(answers, key=lambda answer: answer.gap)


def _usable(answer: Margin) -> Margin:
    if answer.gap > USABLE:
        raise RuntimeError(
            f"the solver came no closer than to a relative gap of {answer.gap:.1g}: double precision is too coarse for "
            "a margin so small beside the data, for features of such different scales, or for so large a C"
        )
    return answer


class _Problem:
    """The signed examples in units that suit the solver, and the way back to the user's.

    x = centre + R z with ||z|| <= 1. There is one factor R for all of X: one for each column would change what ||w||
    means, and so pose another problem. The centre is zero unless there is an offset to make up for it.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, bias: bool) -> None:
        X = X.astype(float, copy=False)
        (n, d), self.y, self.k = X.shape, y, int(bias)  # theta[k:] is w
        self.signed = np.ones((n, self.k + d))  # filled in place: for many examples, every copy of X takes its time
        Z = self.signed[:, self.k :]
        with np.errstate(all="ignore"):
            self.centre = X.mean(axis=0) * self.k
            np.subtract(X, self.centre, out=Z)
            self.R = np.sqrt(np.einsum("ij,ij->i", Z, Z).max()) if Z.any() else 1.0
        if not 1e-150 < self.R < 1e150:  # else R^2 or 1/R^2 is no number any more
            raise ValueError(f"X must be of a size that can be squared, but its largest entry is {abs(X).max():.1g}")
        Z /= self.R
        self.signed *= y[:, None]
        self.curvature = np.append(np.zeros(self.k), np.ones(X.shape[1]))  # of 1/2 ||w||^2, as a function of theta

    def hard(self, tolerance: float, refinements: int) -> Margin:
        """Minimise 1/2 ||w||^2 - r subject to y_i * (w'x_i + b) >= r, then divide by r.

        Unlike the problem with 1 in place of r, this one has a solution for all data: w = 0 if nothing separates them.
        Few examples decide it. So it is solved for a sample, then again with the examples that came nearer than the
        sample's nearest, until there are none: what is widest for some and holds for all is widest for all.
        """
        rows, curvature = np.insert(self.signed, 0, -1, axis=1), np.insert(self.curvature, 0, 0)
        cost = np.insert(np.zeros(len(self.curvature)), 0, -1)
        alpha, some = np.zeros(len(rows)), self._sample()
        while True:
            r_theta, alpha[some] = _interior_point(rows[some], curvature, cost, 0.0, False, tolerance, refinements)
            scores = self.signed @ r_theta[1:]
            nearer = np.flatnonzero(scores < scores[some].min())
            if len(nearer) == 0 or scores[some].min() <= 0:
                break
            some = np.union1d(some, nearer)
        r, alpha = scores.min(), self._in_balance(alpha)
        theta, w_dual = r_theta[1:] / r, alpha @ self.signed[:, self.k :]
        alpha = alpha * alpha.sum() / (w_dual @ w_dual)  # the multiple whose dual, then 1/2 sum(alpha), is the greatest
        primal = theta[self.k :] @ theta[self.k :] / 2 if r > 0 else np.inf
        return self._answer(theta, alpha / self.R**2, np.zeros(len(alpha)), primal, alpha.sum() / 2)

    def _sample(self) -> np.ndarray:
        """Some examples of either class. For m of n, about n p / m others come nearer: m = sqrt(n p) balances both."""
        n, p = self.signed.shape
        order = np.random.default_rng(0).permutation(n)
        size = max(1000, int(np.sqrt(n * p)))
        return np.concatenate([order[self.y[order] == label][:size] for label in (-1, 1)])

    def soft(self, C: float, tolerance: float, refinements: int) -> Margin:
        """Minimise 1/2 ||w||^2 / price + sum(slack): divided so, the dual variables lie between 0 and 1."""
        n = len(self.y)
        price = C * self.R**2 / n

        def primal(theta, price):
            return theta[self.k :] @ theta[self.k :] / 2 + price * np.maximum(0, 1 - self.signed @ theta).sum()

        # C = 0 gives w = 0 and b the label of the larger class. As C grows, theta moves from there on a straight line
        # while C R^2 < 1, as until then all of the smaller class (all examples, if there is no offset) has slack.
        # So C R^2 = 1/2 is solved in place of anything below it.
        start = np.append(np.sign([self.y.sum()] * self.k), np.zeros(len(self.centre)))
        if self.k and abs(self.y.sum()) == n:
            return Margin(start, np.zeros(n), np.zeros(n), 0.0, 0.0, True)
        solved = max(price, 0.5 / n)
        curvature, cost = self.curvature / solved, 0 * start
        theta, share = _interior_point(self.signed, curvature, cost, 1.0, True, tolerance, refinements)
        # The solver comes near w = 0 but not upon it: where w = 0 is no worse than what was found, it is the answer.
        if not primal(theta, solved) < primal(start, solved) * (1 - ATTEMPTS[0][0]):
            theta = start
        theta, share = start + price / solved * (theta - start), self._in_balance(share.clip(0, 1))
        w_dual = price * share @ self.signed[:, self.k :]
        dual = price * share.sum() - w_dual @ w_dual / 2
        return self._answer(theta, C / n * share, np.maximum(0, 1 - self.signed @ theta), primal(theta, price), dual)

    def _in_balance(self, alpha: np.ndarray) -> np.ndarray:
        """With an offset the dual wants sum(alpha_i * y_i) = 0 to the last digit: the heavier class gives way."""
        if not self.k:
            return alpha
        heavier = self.y == np.sign(alpha @ self.y)
        return np.where(heavier, alpha * min(alpha[~heavier].sum() / alpha[heavier].sum(), 1.0), alpha)

    def _answer(self, theta, alpha, slack, primal, dual) -> Margin:
        """Back to the user's units. An answer that is no number at all has an infinite gap."""
        w = theta[self.k :] / self.R
        theta = np.append(theta[: self.k] - w @ self.centre, w)
        gap = float(max((primal - dual) / primal, ROUNDING))
        gap = np.inf if np.isnan(gap) else gap
        return Margin(theta, alpha, slack, float(primal / self.R**2), gap, bool(self.k))


def _interior_point(rows, curvature, cost, level, with_slack, tolerance, refinements) -> tuple[np.ndarray, np.ndarray]:
    """Minimise 1/2 sum(curvature_j * u_j^2) + cost'u + sum(slack) subject to rows u + slack >= level, slack >= 0.

    Or the same without slack. Returns u, shape (p,), and the multipliers of the first constraint, shape (n,).

    Every step solves a linear system for u, slack and multipliers in which all but `rows` is diagonal. So slack is
    eliminated first, then the multipliers; a p x p matrix remains. It takes n p^2 operations: time grows as n does.
    That product is summed over a few thousand rows at a time, which fit into the processor's cache.
    """
    n, p = rows.shape
    slacks = n if with_slack else 0

    def curve(x):
        return np.append(curvature * x[:p], np.zeros(slacks))

    def constraints(x):
        slack = x[p:]
        return -np.append(rows @ x[:p] + slack, slack) if with_slack else -(rows @ x)

    def constraints_transposed(z):
        return -np.append(z[:n] @ rows, z[:n] + z[n:] if with_slack else [])

    def factor(D):
        D, D_slack = D[:n], D[n:]
        weight = 1 / (D + D_slack if with_slack else D)
        S = np.diag(curvature)
        for first in range(0, n, 8192):
            few = slice(first, first + 8192)
            half = np.sqrt(weight[few])[:, None] * rows[few]
            S += half.T @ half
        # Features that repeat one another make S singular where C is large; no more than rounding's worth prevents it.
        S[np.diag_indices(p)] *= 1 + p * ROUNDING
        solve_for_u = back_end().cholesky(S)

        def solve(x, y, z):
            rest = z[:n] - z[n:] + D_slack * x[p:] if with_slack else z
            u = solve_for_u(x[:p] - (weight * rest) @ rows)
            alpha = -weight * (rows @ u + rest)
            if not with_slack:
                return u, y, alpha
            return np.append(u, D_slack * (x[p:] + alpha) - z[n:]), y, np.append(alpha, -x[p:] - alpha)

        return solve

    try:
        found = back_end().minimise(
            Linear(curve, curve),
            np.append(cost, np.ones(slacks)),
            Linear(constraints, constraints_transposed),
            np.append(np.full(n, -level), np.zeros(slacks)),
            factor,
            reltol=tolerance,
            abstol=1e-40,
            feastol=1e-6,
            refinement=refinements,
        )
    except (ArithmeticError, ValueError):  # a solver's words for numbers that overflow
        return np.full(p, np.nan), np.full(n, np.nan)
    return found.x[:p], found.z[:n]
