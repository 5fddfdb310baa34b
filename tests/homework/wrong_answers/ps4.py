"""Plausible wrong answers to ps4: each gets less than full marks, and words that help."""

WATCH = """
def watch(xs, ys):
    w, mistakes, longest, rounds = 0 * xs[0], 0, 0, []
    for x, y in zip(xs, ys, strict=True):
        {look}
        if y * (w @ x) {test} 0:
            w, mistakes = w + {step}, mistakes + 1
            {inside}
        {always}
        rounds.append((mistakes, longest, {norm}))
    return rounds
"""


def watch(look="", test="<=", step="y * x", inside="", always="longest = max(longest, x @ x)", norm="w @ w"):
    return WATCH.format(look=look, test=test, step=step, inside=inside, always=always, norm=norm)


LATE = """
def late_average(inputs, y, epochs, skip):
    visits = epochs * len(y)
    theta, total = np.zeros(inputs.shape[1]), np.zeros(inputs.shape[1])
    for t in range(visits):
        i = t % len(y)
        if y[i] * (theta @ inputs[i]) <= 0:
            theta = theta + y[i] * inputs[i]
            total = total + {times} * y[i] * inputs[i]
    return total / {divisor}
"""

VOTE = """
def vote(column, y, mistakes, times, visits):
    scores = np.cumsum([0, *(y[mistakes] * column[mistakes])])
    survival = np.diff({ends})
    return {label}
"""

ROCCHIO = "X_3b = {X}\ny_3b = {y}\n"

WRONG = {
    "1a_watch": [
        # A tie counts as right, as in the slides' pseudo-code: the weights never move.
        (watch(test="<"), "A score of zero is a mistake"),
        # L over the mistakes only.
        (watch(inside="longest = max(longest, x @ x)", always=""), "over all rounds, right or wrong"),
        # The norm before the round in place of that after it.
        (watch(look="before = w @ w", norm="before"), "the weights after the round"),
        # Labels left out of the update.
        (watch(step="x"), "||w||^2 is"),
        # Lengths, not their squares.
        (watch(always="longest = max(longest, np.sqrt(x @ x))"), "over all rounds"),
        # The library's rounds in the place of one's own.
        (
            "def watch(xs, ys):\n"
            "    from pla_lib import online_perceptron\n\n"
            "    rounds = online_perceptron(zip(xs, ys), bias=False)\n"
            "    return [(r.mistakes, r.radius_squared, r.theta @ r.theta) for r in rounds]\n",
            "this task asks for your own code",
        ),
    ],
    "1c_most": [
        # The solved inequality in floats, then rounded down.
        (
            "def most_mistakes(H, s_squared):\n"
            "    root = (s_squared**0.5 + (s_squared + 4 * H) ** 0.5) / 2\n"
            "    return int(root**2)\n",
            "still satisfies",
        ),
        # Squared without a look at the sign: below H the left side is negative, and all is well.
        (
            "def most_mistakes(H, s_squared):\n"
            "    return max((M for M in range(3000) if (M - H) ** 2 <= s_squared * M), default=0)\n",
            "still satisfies",
        ),
        # The loosened bound of the theorem.
        (
            "def most_mistakes(H, s_squared):\n    return int(H + (s_squared * H) ** 0.5 + s_squared)\n",
            "does not satisfy",
        ),
        # One too many: the first that fails.
        (
            "def most_mistakes(H, s_squared):\n"
            "    M = 0\n"
            "    while M <= H or (M - H) ** 2 <= s_squared * M:\n"
            "        M += 1\n"
            "    return M\n",
            "does not satisfy",
        ),
    ],
    "1d_adversary": [
        # Floats: halved sixty times, they have no digits left.
        (
            "def next_point(past):\n"
            "    low = max([0.0, *(float(x) for x, y in past if y < 0)])\n"
            "    high = min([1.0, *(float(x) for x, y in past if y > 0)])\n"
            "    return (low + high) / 2\n",
            "should be a Fraction",
        ),
        # Floats in a Fraction's clothes.
        (
            "def next_point(past):\n"
            "    low = max([0.0, *(float(x) for x, y in past if y < 0)])\n"
            "    high = min([1.0, *(float(x) for x, y in past if y > 0)])\n"
            "    return Fraction((low + high) / 2)\n",
            "either label is possible",
        ),
        # Between the last two points, whatever their labels.
        (
            "def next_point(past):\n"
            "    x = [Fraction(0), Fraction(1), *(x for x, y in past)]\n"
            "    return (x[-1] + x[-2]) / 2\n",
            "either label is possible",
        ),
        # The sides exchanged.
        (
            "def next_point(past):\n"
            "    low = max([Fraction(0), *(x for x, y in past if y > 0)])\n"
            "    high = min([Fraction(1), *(x for x, y in past if y < 0)])\n"
            "    return (low + high) / 2\n",
            "either label is possible",
        ),
    ],
    "2a_late": [
        # The visit of a mistake counted for the new weights, as in Elkan's listing.
        (
            LATE.format(times="(visits - max(t, skip))", divisor="(visits - skip)"),
            "counts for the weights that made it",
        ),
        # The early mistakes left out, though their examples stay in the weights.
        (LATE.format(times="max(0, visits - 1 - t) * (t >= skip)", divisor="(visits - skip)"), "it should be"),
        # The mean over all visits.
        (LATE.format(times="(visits - 1 - t)", divisor="visits"), "the mean over all visits"),
        # The right sum, divided by all visits.
        (LATE.format(times="(visits - max(t + 1, skip))", divisor="visits"), "it should be"),
        # One term for every new theta, however long it lived.
        (
            "def late_average(inputs, y, epochs, skip):\n"
            "    theta = np.zeros(inputs.shape[1])\n"
            "    kept = [theta]\n"
            "    for t in range(epochs * len(y)):\n"
            "        i = t % len(y)\n"
            "        if y[i] * (theta @ inputs[i]) <= 0:\n"
            "            theta = theta + y[i] * inputs[i]\n"
            "            kept = [theta] if t < skip else [*kept, theta]\n"
            "    return np.mean(kept, axis=0)\n",
            "it should be",
        ),
        # The library's run, and its weights in force in a list.
        (
            "from pla_lib import perceptron\n\n\n"
            "def late_average(inputs, y, epochs, skip):\n"
            "    run = perceptron(inputs, y, bias=False, max_epochs=epochs)\n"
            "    in_force = np.repeat(run.thetas, run.survival, axis=0)\n"
            "    quiet = np.tile(run.theta, (epochs * len(y) - len(in_force), 1))\n"
            "    return np.vstack([in_force, quiet])[skip:].mean(axis=0)\n",
            "this task asks for your own code",
        ),
    ],
    "2b_vote": [
        # No inner sign: the averaged perceptron.
        (
            VOTE.format(ends="[0, *(times + 1), visits]", label="1 if survival @ scores > 0 else -1"),
            "were in force at",
        ),
        # Elkan's counts: a mistake opens the account of the new weights.
        (
            VOTE.format(ends="[0, *times, visits]", label="1 if survival @ np.where(scores > 0, 1, -1) > 0 else -1"),
            "were in force at",
        ),
        # sgn(0) = 0, so that theta_0 has no vote, and a tie is no label.
        (
            VOTE.format(ends="[0, *(times + 1), visits]", label="int(np.sign(survival @ np.sign(scores)))"),
            "were in force at",
        ),
        # One vote to each, however long it lived.
        (
            VOTE.format(ends="[0, *(times + 1), visits]", label="1 if np.where(scores > 0, 1, -1).sum() > 0 else -1"),
            "it should be",
        ),
        # The library's vote: with the column for a feature, a theta is its own score.
        (
            "from pla_lib import Run, voted\n\n\n"
            "def vote(column, y, mistakes, times, visits):\n"
            "    order = np.arange(visits)\n"
            "    run = Run(column[:, None], y, np.zeros(1), 1, 'mistake', order, None, mistakes, times, 1)\n"
            "    return voted(run, [1])\n",
            "this task asks for your own code",
        ),
    ],
    "3b_wrong": [
        # The picture of chapter 09, with a point that is farther away: five of nine.
        (
            ROCCHIO.format(
                X="[[-1, 0], [-1.5, 1], [-1, 2], [1, 0], [1, 1.5], [1.2, 3], [9, 0.5], [8.5, 2], [far_own, 3]]",
                y="3 * [-1] + 6 * [1]",
            ),
            "Rocchio labels 5 of your 9 examples wrong",
        ),
        # No line separates these.
        (
            ROCCHIO.format(X="30 * [[1]] + [[-far_own], [0], [far_own]]", y="30 * [1] + [1, -1, 1]"),
            "No hyperplane separates",
        ),
        # Far, but not far enough for so many.
        (
            ROCCHIO.format(X="[[0]] + 199 * [[far_own // 2]] + [[far_own]]", y="[-1] + 200 * [1]"),
            "at most 200 are allowed",
        ),
        (ROCCHIO.format(X="[[0]] + 30 * [[far_own // 2]] + [[far_own]]", y="[-1] + 31 * [1]"), "nine in ten"),
        # More features than the exact test of separability has time for.
        (ROCCHIO.format(X="[[far_own] + 10 * [0], 11 * [0]]", y="[1, -1]"), "at most 10 are allowed"),
        # A neighbour's number: smaller, and larger.
        (ROCCHIO.format(X="[[0]] + 30 * [[1]] + [[99]]", y="[-1] + 31 * [1]"), "must be your own"),
        (
            ROCCHIO.format(X="[[0]] + 30 * [[1]] + [[far_own], [20_000]]", y="[-1] + 32 * [1]"),
            "may be larger than far_own",
        ),
    ],
}
