"""Plausible wrong answers to ps2: each gets less than full marks, and words that help."""

BOUND = """def best_bound(X, y, thetas):
    inputs = [[1, *x] for x in X]
    tau2 = max(inner(x, x) for x in inputs)
    bounds = {{}}
    for k, theta in enumerate(thetas):
        rho = min(y_i * inner(theta, x) for x, y_i in zip(inputs, y))
        if {separates}:
            bounds[k] = {bound}
    best = {best}
    return best, bounds[best]
"""
RIGHT = {
    "separates": "rho > 0",
    "bound": "Fraction(inner(theta, theta) * tau2) / rho**2",
    "best": "min(bounds, key=bounds.get)",
}

LEDGER = """def ledger_of(X, y, theta):
    inputs = [[1, *x] for x in X]
    rho = min({signed} for x, y_i in zip(inputs, y))
    tau2 = max(inner(x, x) for x in {longest})
    weights, rows, clean = {start}, {rows}, False
    while not clean:
        clean = True
        for x, y_i in zip(inputs, y):
            if y_i * inner(weights, x) <= 0:
                weights = [a + y_i * b for a, b in zip(weights, x)]
                m, clean = len(rows) + {missing}, False
                rows.append((m, m * rho, inner(theta, weights), inner(weights, weights){root}, m * tau2))
    return rows
"""
KEPT = {
    "signed": "y_i * inner(theta, x)",
    "longest": "inputs",
    "start": "[0] * len(theta)",
    "rows": "[(0, 0, 0, 0, 0)]",
    "missing": "0",
    "root": "",
}

CAUTIOUS = """def cautious(X, y, beta):
    {inputs}
    theta, updates, clean = np.zeros(X.shape[1]), [], False
    while not clean:
        clean = True
        for i in range(len(y)):
            if {near}:
                theta, clean = theta + y[i] * X[i], False
                updates.append(i)
    return updates, theta
"""

WRONG = {
    "1b_best_bound": [
        # the length of w in place of theta
        (BOUND.format(**RIGHT | {"bound": "Fraction(inner(theta[1:], theta[1:]) * tau2) / rho**2"}), "it should be"),
        # rho squared hides that an example is on the wrong side
        (BOUND.format(**RIGHT | {"separates": "rho != 0"}), "it should be number"),
        # the largest rho, whatever the scale of theta
        (
            BOUND.format(
                **RIGHT | {"best": "max(bounds, key=lambda k: min(s * inner(thetas[k], x) for x, s in zip(inputs, y)))"}
            ),
            "it should be number",
        ),
        # rounded
        (BOUND.format(**RIGHT | {"bound": "float(inner(theta, theta) * tau2) / float(rho) ** 2"}), "exact"),
        # the 1 is missing from the radius
        (
            BOUND.format(**RIGHT).replace("max(inner(x, x) for x in inputs)", "max(inner(x, x) for x in X)"),
            "with the 1",
        ),
        # the library's own
        (
            "from pla_lib import mistake_bound\n\n\n"
            "def best_bound(X, y, thetas):\n"
            "    bounds = [mistake_bound(X, y, theta).value for theta in thetas]\n"
            "    return bounds.index(min(bounds)), min(bounds)\n",
            "this task asks for your own code",
        ),
    ],
    "2a_ledger": [
        # the row of the start is missing
        (LEDGER.format(**KEPT | {"rows": "[]", "missing": "1"}), "in row 0, m is 1"),
        # the norm in place of its square
        (LEDGER.format(**KEPT | {"root": " ** 0.5"}), "squared norm is"),
        # the 1 is missing from the radius
        (LEDGER.format(**KEPT | {"longest": "X"}), "m tau^2 is"),
        # the least score, not the least signed score
        (LEDGER.format(**KEPT | {"signed": "inner(theta, x)"}), "m rho is"),
        # floats
        (LEDGER.format(**KEPT | {"start": "[0.0] * len(theta)"}).replace("[1, *x]", "[1.0, *map(float, x)]"), "in row"),
        # ties pass
        (LEDGER.format(**KEPT).replace("<= 0", "< 0"), "there are 1 rows"),
        # the library's own
        (
            "from pla_lib import ledger, perceptron\n\n\n"
            "def ledger_of(X, y, theta):\n"
            "    run = perceptron([[Fraction(v) for v in x] for x in X], y)\n"
            "    kept = ledger(run, [Fraction(v) for v in theta])\n"
            "    return list(zip(range(len(kept.floor)), kept.floor, kept.progress, kept.norm2, kept.ceiling2))\n",
            "this task asks for your own code",
        ),
    ],
    "2b_losses": [
        # sides that are not squared
        (
            "def losses(X, y, theta):\n"
            "    _, floor, progress, norm2, ceiling2 = map(Fraction, ledger_of(X, y, theta)[-1])\n"
            "    return progress / floor, inner(theta, theta) * norm2 / progress**2, ceiling2 / norm2\n",
            "the bound over m",
        ),
        # in another order
        (
            "def losses(X, y, theta):\n"
            "    _, floor, progress, norm2, ceiling2 = map(Fraction, ledger_of(X, y, theta)[-1])\n"
            "    return ceiling2 / norm2, inner(theta, theta) * norm2 / progress**2, (progress / floor) ** 2\n",
            "progress, Cauchy-Schwarz, norm",
        ),
        # upside down
        (
            "def losses(X, y, theta):\n"
            "    _, floor, progress, norm2, ceiling2 = map(Fraction, ledger_of(X, y, theta)[-1])\n"
            "    return (floor / progress) ** 2, progress**2 / (inner(theta, theta) * norm2), norm2 / ceiling2\n",
            "the bound over m",
        ),
    ],
    "3a_claim": [
        # the distance grows, the angle does not
        ("p, q = theta_claim\nclaim = ([[p - q, p + q], [p + q, q - p]], [1, 1])\n", "they never grow"),
        # for the separator that points the other way
        (
            "p, q = theta_claim\nclaim = ([[10 * p - q, p + 10 * q], [p + 20 * q, q - 20 * p]], [-1, -1])\n",
            "does not separate",
        ),
        # with the 1 of an offset
        (
            "p, q = theta_claim\nclaim = ([[1, 10 * p - q, p + 10 * q], [1, p + 20 * q, q - 20 * p]], [1, 1])\n",
            "without the 1 of an offset",
        ),
    ],
    "3b_exactly": [
        # the tie is forgotten: one too many
        ("def exactly(M):\n    return [[M - 1, M], [-1, 0]], [1, 1]\n", "A score of zero is a mistake"),
        # orthogonal examples: more than two of them
        ("def exactly(M):\n    return np.eye(M, dtype=int).tolist(), [1] * M\n", "two examples in the plane"),
        # the long example is spoilt
        ("def exactly(M):\n    return [[M - 2, 1], [-1, 0]], [1, 1]\n", "it should make"),
    ],
    "4b_run": [
        # only below beta
        (CAUTIOUS.format(inputs="X = X + 0", near="y[i] * (theta @ X[i]) < beta"), "The first 3 agree"),
        # close to the hyperplane, on either side; far on the wrong side nothing happens
        (CAUTIOUS.format(inputs="X = X + 0", near="abs(theta @ X[i]) <= beta"), "they should be"),
        # the plain perceptron
        (CAUTIOUS.format(inputs="X = X + 0", near="y[i] * (theta @ X[i]) <= 0"), "The first 2 agree"),
        # with an offset
        (CAUTIOUS.format(inputs="X = np.c_[np.ones(len(X)), X]", near="y[i] * (theta @ X[i]) <= beta"), "should be"),
        # the library's subgradient steps on the hinge loss, with weights that are beta times shorter
        (
            "from pla_lib import sgd\n\n\n"
            "def cautious(X, y, beta):\n"
            "    run = sgd(X, y, 'hinge', step=1 / beta, bias=False, epochs=1000)\n"
            "    return run.visits[run.c > 0], beta * run.theta\n",
            "this task asks for your own code",
        ),
    ],
}
