"""Plausible wrong answers to ps1: each gets less than full marks, and words that help."""

WRONG = {
    "1b_mirror": [
        (
            # the foot, not the mirror image
            "def mirror(w, b, X):\n    return X - np.outer((X @ w + b) / (w @ w), w)\n",
            "It should return",
        ),
        (
            # the norm in place of its square
            "def mirror(w, b, X):\n    return X - 2 * np.outer((X @ w + b) / np.linalg.norm(w), w)\n",
            "It should return",
        ),
        (
            # the distance, which has lost the side
            "def mirror(w, b, X):\n    return X - 2 * np.outer(abs(X @ w + b) / (w @ w), w)\n",
            "Which side is each point on",
        ),
        (
            # right for a single row only
            "def mirror(w, b, X):\n    return X - 2 * (X @ w + b) / (w @ w) * w\n",
            "It should return",
        ),
        (
            # the library's own
            "from pla_lib import Hyperplane\n\n\n"
            "def mirror(w, b, X):\n    return 2 * Hyperplane(w, b).project(X) - X\n",
            "this task asks for your own code",
        ),
    ],
    "1c_between": [
        (
            # the offset behind
            "def theta_between(p, q):\n    w = p - q\n    return np.append(w, -w @ (p + q) / 2)\n",
            "Is the offset in front",
        ),
        (
            # a pair of offset and vector
            "def theta_between(p, q):\n    w = p - q\n    return -w @ (p + q) / 2, w\n",
            "three numbers in a row",
        ),
        (
            # the positive side is that of q
            "def theta_between(p, q):\n    w = q - p\n    return np.append(-w @ (p + q) / 2, w)\n",
            "on the positive side",
        ),
        (
            # through q, not through the middle
            "def theta_between(p, q):\n    w = p - q\n    return np.append(-w @ q, w)\n",
            "should be a positive multiple",
        ),
        (
            # scaled so that the offset is 1, which exchanges the sides where it was negative
            "def theta_between(p, q):\n    w = p - q\n    b = -w @ (p + q) / 2\n    return np.append(1, w / b)\n",
            "it should point from q to p",
        ),
    ],
    "2a_paper": [
        (
            # a tie passes once the weights are not zero
            "theta, mistakes_4 = np.zeros(3, int), []\n"
            "for i in 5 * [0, 1, 2, 3]:\n"
            "    x = np.array([1, *X4[i]])\n"
            "    if y4[i] * (theta @ x) < 0 or not theta.any():\n"
            "        theta, mistakes_4 = theta + y4[i] * x, [*mistakes_4, i]\n"
            "theta_4 = theta.tolist()\n",
            "a score of zero is a mistake",
        ),
        (
            # without offset
            "run = perceptron(X4, y4, bias=False, max_epochs=3)\n"
            "mistakes_4, theta_4 = run.mistakes.tolist(), [0, *run.theta.astype(int).tolist()]\n",
            "with the 1 in front",
        ),
        (
            # numbered from 1
            "run = perceptron(X4, y4)\n"
            "mistakes_4, theta_4 = (run.mistakes + 1).tolist(), run.theta.astype(int).tolist()\n",
            "numbered from 0",
        ),
        (
            # one epoch only
            "run = perceptron(X4, y4, max_epochs=1)\n"
            "mistakes_4, theta_4 = run.mistakes.tolist(), run.theta.astype(int).tolist()\n",
            "go on from there",
        ),
    ],
    "2b_learn": [
        (
            # a tie is right: the start never moves
            "def learn(X, y, sgn0, epochs):\n"
            "    inputs = np.c_[np.ones(len(X)), X]\n"
            "    theta, mistakes = np.zeros(inputs.shape[1]), []\n"
            "    for _ in range(epochs):\n"
            "        for i in range(len(y)):\n"
            "            if y[i] * (theta @ inputs[i]) < 0:\n"
            "                theta = theta + y[i] * inputs[i]\n"
            "                mistakes.append(i)\n"
            "    return mistakes, theta\n",
            "they should be [0",
        ),
        (
            # always the rule of the book: the other rules get no points
            "def learn(X, y, sgn0, epochs):\n"
            "    inputs = np.c_[np.ones(len(X)), X]\n"
            "    theta, mistakes = np.zeros(inputs.shape[1]), []\n"
            "    for _ in range(epochs):\n"
            "        for i in range(len(y)):\n"
            "            if y[i] * (theta @ inputs[i]) <= 0:\n"
            "                theta = theta + y[i] * inputs[i]\n"
            "                mistakes.append(i)\n"
            "    return mistakes, theta\n",
            "The first 0 agree",
        ),
        (
            # stops at the first visit without a mistake
            "def learn(X, y, sgn0, epochs):\n"
            "    inputs = np.c_[np.ones(len(X)), X]\n"
            "    theta, mistakes = np.zeros(inputs.shape[1]), []\n"
            "    for _ in range(epochs):\n"
            "        for i in range(len(y)):\n"
            "            predicted = np.sign(theta @ inputs[i]) or sgn0\n"
            "            if predicted == y[i]:\n"
            "                return mistakes, theta\n"
            "            theta = theta + y[i] * inputs[i]\n"
            "            mistakes.append(i)\n"
            "    return mistakes, theta\n",
            "they should be",
        ),
        (
            # the weights move at the end of an epoch only
            "def learn(X, y, sgn0, epochs):\n"
            "    inputs = np.c_[np.ones(len(X)), X]\n"
            "    theta, mistakes = np.zeros(inputs.shape[1]), []\n"
            "    for _ in range(epochs):\n"
            "        predicted = np.sign(inputs @ theta)\n"
            "        predicted[predicted == 0] = sgn0\n"
            "        wrong = np.flatnonzero(predicted != y)\n"
            "        if not len(wrong):\n"
            "            break\n"
            "        theta = theta + y[wrong] @ inputs[wrong]\n"
            "        mistakes += wrong.tolist()\n"
            "    return mistakes, theta\n",
            "they should be",
        ),
        (
            # the 1 behind
            "def learn(X, y, sgn0, epochs):\n"
            "    inputs = np.c_[X, np.ones(len(X))]\n"
            "    theta, mistakes = np.zeros(inputs.shape[1]), []\n"
            "    for _ in range(epochs):\n"
            "        for i in range(len(y)):\n"
            "            if (np.sign(theta @ inputs[i]) or sgn0) != y[i]:\n"
            "                theta = theta + y[i] * inputs[i]\n"
            "                mistakes.append(i)\n"
            "    return mistakes, theta\n",
            "the mistakes are right, but the weights",
        ),
        (
            # goes on until it is done, whatever epochs says
            "def learn(X, y, sgn0, epochs):\n"
            "    inputs = np.c_[np.ones(len(X)), X]\n"
            "    theta, mistakes, before = np.zeros(inputs.shape[1]), [], -1\n"
            "    while before < len(mistakes) < 10_000:\n"
            "        before = len(mistakes)\n"
            "        for i in range(len(y)):\n"
            "            if (np.sign(theta @ inputs[i]) or sgn0) != y[i]:\n"
            "                theta = theta + y[i] * inputs[i]\n"
            "                mistakes.append(i)\n"
            "    return mistakes, theta\n",
            "epochs = 3",
        ),
        (
            # the library's own
            "from pla_lib import perceptron\n\n\n"
            "def learn(X, y, sgn0, epochs):\n"
            "    run = perceptron(X, y, tie=TIE[sgn0], max_epochs=epochs)\n"
            "    return run.mistakes, run.theta\n",
            "this task asks for your own code",
        ),
    ],
    "3a_tie_data": [
        # one class only
        ("tie_data = ([[1, 0], [0, 0], x_own], [y_own, y_own, y_own])\n", "both labels"),
        # somebody else's example
        ("tie_data = ([[0, 0], [1, 0], [51, 7]], [-1, 1, 1])\n", "must be your own"),
        # the own example with the other label
        ("tie_data = ([[0, 0], [1, 0], x_own], [-1, 1, -y_own])\n", "must be your own"),
        # nothing is on the hyperplane
        ("tie_data = ([x_own, [-v for v in x_own]], [y_own, -y_own])\n", "an example on the hyperplane"),
        # the book's rule needs only one mistake more
        ("tie_data = ([[0, 0], [7, 0], x_own], [-1, 1, y_own])\n", "it should be at least three more"),
        # no line
        ("tie_data = ([x_own, x_own], [y_own, -y_own])\n", "can a line separate"),
        # one feature, as in the book's example
        ("tie_data = ([[0], [1]], [-1, 1])\n", "examples with two features"),
    ],
    "3b_order_range": [
        (
            # only where to begin, not every order
            "def order_range(X, y):\n"
            "    n = len(y)\n"
            "    counts = [len(perceptron(np.roll(X, k, 0), np.roll(y, k)).mistakes) for k in range(n)]\n"
            "    return min(counts), max(counts)\n",
            "There are 120 orders",
        ),
        (
            # epochs in place of mistakes
            "def order_range(X, y):\n"
            "    counts = [perceptron(X, y, order=order).epochs for order in permutations(range(len(y)))]\n"
            "    return min(counts), max(counts)\n",
            "It should return",
        ),
        (
            # the examples are put in order, the labels are not
            "def order_range(X, y):\n"
            "    counts = [len(perceptron(X[[*order]], y).mistakes) for order in permutations(range(len(y)))]\n"
            "    return min(counts), max(counts)\n",
            "It should return",
        ),
    ],
}
