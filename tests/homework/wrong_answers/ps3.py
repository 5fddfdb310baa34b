"""Plausible wrong answers to ps3: each gets less than full marks, and words that help."""

NEAREST_PAIR = """
i, j = min(
    ((i, j) for i in range(5) for j in range(5) if y_1b[i] > 0 > y_1b[j]),
    key=lambda pair: ((X_1b[pair[0]] - X_1b[pair[1]]) ** 2).sum(),
)
way = [int(v) for v in X_1b[i] - X_1b[j]]
price_of_both = Fraction(2, way[0] ** 2 + way[1] ** 2)
w1, w2 = price_of_both * way[0], price_of_both * way[1]
theta_1b = [1 - w1 * int(X_1b[i, 0]) - w2 * int(X_1b[i, 1]), w1, w2]
alpha_1b = [price_of_both if k in (i, j) else 0 for k in range(5)]
"""

WIDEST = """
from itertools import combinations


def solved(A, right):
    \"\"\"Three equations in fractions, by Cramer's rule.\"\"\"

    def det(M):
        (a, b, c), (d, e, f), (g, h, i) = M
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    replaced = [[[right[r] if c == k else A[r][c] for c in range(3)] for r in range(3)] for k in range(3)]
    return [Fraction(det(M), det(A)) for M in replaced]


def widest():
    points, labels = X_1b.tolist(), y_1b.tolist()
    for some in combinations(range(5), 3):
        rows = [[1, *points[i]] for i in some]
        if abs(sum(labels[i] for i in some)) == 1 and abs(np.linalg.det(rows)) > 0.5:
            b, w1, w2 = solved(rows, [labels[i] for i in some])
            scores = [v * (w1 * p + w2 * q + b) for (p, q), v in zip(points, labels)]
            columns = [[labels[i] * each for i, each in zip(some, column)] for column in zip(*rows)]
            prices = solved(columns, [0, w1, w2])
            if min(scores) >= 1 and min(prices) >= 0:
                return [b, w1, w2], [prices[some.index(i)] if i in some else 0 for i in range(5)]


theta_1b, alpha_1b = widest()
"""

DUAL = """def dual_perceptron(gram, y, epochs):
    alpha, b = np.zeros(len(y), dtype=int), 0
    for _ in range(epochs):
        for i in range(len(y)):
            if {wrong}:
                alpha[i] += 1
                b += {step}
    return alpha, b
"""

WRONG = {
    "1b_certificate": [
        (NEAREST_PAIR, "the constraint asks for at least 1"),
        # Decimal numbers, as a solver gives them.
        (WIDEST + "theta_1b, alpha_1b = [float(v) for v in theta_1b], [float(v) for v in alpha_1b]\n", "is not exact"),
        # The weights with which the support vectors mix the ends of the shortest way, in place of dual variables.
        (WIDEST + "alpha_1b = [2 * v / sum(alpha_1b) for v in alpha_1b]\n", "Condition 3"),
        # A unit vector's multiple: the right line, with the least score 2.
        (WIDEST + "theta_1b, alpha_1b = [2 * v for v in theta_1b], [2 * v for v in alpha_1b]\n", "Condition 4"),
        # The library's solver, its decimals made into fractions.
        (
            "from pla_lib import max_margin\n\n"
            "widest = max_margin(X_1b, y_1b)\n"
            "theta_1b = [Fraction(float(v)).limit_denominator(1000) for v in widest.theta]\n"
            "alpha_1b = [Fraction(float(v)).limit_denominator(1000) for v in widest.alpha]\n",
            "this task asks for your own code",
        ),
    ],
    "2a_offset": [
        # Midway between the classes, as for the hard margin of chapter 05.
        (
            "def soft_offset(w, X, y):\n"
            "    plus, minus = X[y > 0] @ w, X[y < 0] @ w\n"
            "    return -(plus.min() + minus.max()) / 2\n",
            "It should return 1",
        ),
        # The least sum of |1 - signed score|: points beyond their margin pull, too.
        ("def soft_offset(w, X, y):\n    return np.median(y - X @ w)\n", "Which b are worth trying?"),
        # The bends of the positive examples only.
        (
            "def soft_offset(w, X, y):\n"
            "    bends = 1 - X @ w\n"
            "    total = [np.maximum(0, 1 - y * (X @ w + b)).sum() for b in bends]\n"
            "    return bends[np.argmin(total)]\n",
            "Which b are worth trying?",
        ),
        # A search over a grid: near, but not there.
        (
            "def soft_offset(w, X, y):\n"
            "    grid = np.linspace(-40, 40, 8001)\n"
            "    total = [np.maximum(0, 1 - y * (X @ w + b)).sum() for b in grid]\n"
            "    return grid[np.argmin(total)]\n",
            "Which b are worth trying?",
        ),
    ],
    "2c_price": [
        # The wrong way round from the sum.
        (
            "def price(value, was, wanted, n):\n"
            "    C = {'mean': value, 'sum': value / n, 'penalty': n / value, 'mean penalty': 1 / value}[was]\n"
            "    return {'mean': C, 'sum': C / n, 'penalty': n / C, 'mean penalty': 1 / C}[wanted]\n",
            "times as much",
        ),
        # The number of examples forgotten in the penalty.
        (
            "def price(value, was, wanted, n):\n"
            "    C = {'mean': value, 'sum': value * n, 'penalty': 1 / value, 'mean penalty': 1 / value}[was]\n"
            "    return {'mean': C, 'sum': C / n, 'penalty': 1 / C, 'mean penalty': 1 / C}[wanted]\n",
            "times as much",
        ),
    ],
    "3a_features": [
        # Squares around the origin; the target is elsewhere.
        ("def my_features(X):\n    return X**2\n", "The centre is"),
        # The distance alone: the class in the middle of a line of numbers.
        (
            "def my_features(X):\n    return np.linalg.norm(X - centre, axis=1, keepdims=True)\n",
            "convex hulls intersect",
        ),
        # All monomials up to degree four would do, but they are more than two.
        (
            "from pla_lib import polynomial\n\n\ndef my_features(X):\n    return polynomial(4)(X - centre)\n",
            "at most two features",
        ),
        # One number to each point, but no column.
        (
            "def my_features(X):\n    return abs(np.linalg.norm(X - centre, axis=1) - 1.5)\n",
            "one row of features per point",
        ),
        # Around the mean of the sample, which is near the centre only if the sample lies all around it.
        (
            "def my_features(X):\n    return abs(np.linalg.norm(X - X.mean(axis=0), axis=1, keepdims=True) - 1.5)\n",
            "The centre is",
        ),
    ],
    "3b_dual": [
        # A tie counts as right: nothing ever moves.
        (DUAL.format(wrong="y[i] * (gram[i] @ (alpha * y) + b) < 0", step="y[i]"), "a score of zero is a mistake"),
        # The offset counts mistakes instead of adding labels.
        (DUAL.format(wrong="y[i] * (gram[i] @ (alpha * y) + b) <= 0", step="1"), "a mistake on i adds y_i"),
        # The labels of the other examples are forgotten in the score.
        (DUAL.format(wrong="y[i] * (gram[i] @ alpha + b) <= 0", step="y[i]"), "it should be ["),
        # The offset is kept, but not used in the score.
        (DUAL.format(wrong="y[i] * (gram[i] @ (alpha * y)) <= 0", step="y[i]"), "it should be ["),
        # All of an epoch's mistakes are judged by the weights at its beginning.
        (
            "def dual_perceptron(gram, y, epochs):\n"
            "    alpha, b = np.zeros(len(y), dtype=int), 0\n"
            "    for _ in range(epochs):\n"
            "        wrong = y * (gram @ (alpha * y) + b) <= 0\n"
            "        alpha, b = alpha + wrong, b + (wrong * y).sum()\n"
            "    return alpha, b\n",
            "it should be [",
        ),
        # The library's run in the place of one's own.
        (
            "def dual_perceptron(gram, y, epochs):\n"
            "    from pla_lib import kernel_perceptron\n\n"
            "    rows = np.arange(len(y))[:, None]\n"
            "    run = kernel_perceptron(\n"
            "        rows, y, lambda A, B: gram[A.astype(int), B.astype(int).T] + 1, max_epochs=epochs\n"
            "    )\n"
            "    return run.counts, run.counts @ y\n",
            "this task asks for your own code",
        ),
    ],
    "3c_margin": [
        # Divided by the length of the counts, not of w.
        (
            "def kernel_margin(gram, y, alpha, b):\n"
            "    return (y * (gram @ (alpha * y) + b)).min() / np.linalg.norm(alpha)\n",
            "It should return 1",
        ),
        # The root is missing.
        (
            "def kernel_margin(gram, y, alpha, b):\n"
            "    c = alpha * y\n"
            "    return (y * (gram @ c + b)).min() / (c @ gram @ c)\n",
            "It should return 1",
        ),
        # The offset counted as a weight: the margin of the augmented problem.
        (
            "def kernel_margin(gram, y, alpha, b):\n"
            "    c = alpha * y\n"
            "    return (y * (gram @ c + b)).min() / np.sqrt(c @ gram @ c + b**2)\n",
            "It should return 1",
        ),
        # Distances without a sign: also what does not separate has a margin.
        (
            "def kernel_margin(gram, y, alpha, b):\n"
            "    c = alpha * y\n"
            "    return abs(gram @ c + b).min() / np.sqrt(c @ gram @ c)\n",
            "It should return -",
        ),
        # The library's margin, of features that have this Gram matrix.
        (
            "from pla_lib import Hyperplane\n\n\n"
            "def kernel_margin(gram, y, alpha, b):\n"
            "    squares, axes = np.linalg.eigh(gram)\n"
            "    Z = axes * np.sqrt(np.maximum(0, squares))\n"
            "    return Hyperplane((alpha * y) @ Z, b).margin(Z, y)\n",
            "this task asks for your own code",
        ),
    ],
}
