"""The exercises of chapter 02, and the mistakes that students often make in them."""

import numpy as np

from pla_lib.checks import exercise, trial, wrong_function, wrong_result
from pla_lib.checks.trials import same
from pla_lib.datasets import Dataset
from pla_lib.pla import perceptron
from pla_lib.wording import counted

ON_THE_LINE = "Think of an example of either class that lies exactly on the line: is it a mistake?"


@exercise("02.1")
def one_visit(rng: np.random.Generator):
    """visit(theta, x, y): the weights after a visit; theta and x begin with the offset and its 1."""
    for theta, x in (([0.0, 0, 0], [1.0, 2, 1]), ([1.0, 0, -1], [1.0, 3, 1])):  # two ties
        for y in (1, -1):
            yield trial(want=np.add(theta, np.multiply(y, x)), theta=np.array(theta), x=np.array(x), y=y)
    for y in (1, -1):  # one is right, the other wrong
        theta, x = np.array([1.0, 2, -1]), np.array([1.0, 1, 2])
        yield trial(want=theta if y == 1 else theta - x, theta=theta, x=x, y=y)
    for y in (1, -1):  # so wrong that one update does not mend it
        theta, x = np.array([-3.0, -1, 1]) * y, np.array([1.0, 1, 0])
        yield trial(want=theta + y * x, theta=theta, x=x, y=y)
    for _ in range(20):
        # quarters, whose sums are exact: a tie is one, in whatever order it is added up
        theta, x = rng.integers(-8, 9, size=3) / 4, np.append(1, rng.integers(-8, 9, size=2) / 4)
        y = int(rng.choice([-1, 1]))
        yield trial(want=perceptron([x[1:]], [y], theta0=theta, max_epochs=1).theta, theta=theta, x=x, y=y)


@wrong_function("02.1", ON_THE_LINE)
def _visit_that_lets_ties_pass(theta, x, y):
    return theta + y * x if y * (theta @ x) < 0 else theta


@wrong_function("02.1", ON_THE_LINE)
def _visit_with_ties_positive(theta, x, y):
    return theta + y * x if (1 if theta @ x >= 0 else -1) != y else theta


@wrong_function("02.1", ON_THE_LINE)
def _visit_with_ties_negative(theta, x, y):
    return theta + y * x if (1 if theta @ x > 0 else -1) != y else theta


@wrong_function("02.1", "You change the weights at every visit: what does the algorithm do if the example is right?")
def _visit_that_always_updates(theta, x, y):
    return theta + y * x


@wrong_function("02.1", "You change the weights when the example is right: which signed scores are mistakes?")
def _visit_that_updates_when_right(theta, x, y):
    return theta + y * x if y * (theta @ x) > 0 else theta


@wrong_function("02.1", "Your update is the same for both labels: which way should an example of class −1 move θ?")
def _visit_without_the_label(theta, x, y):
    return theta + x if y * (theta @ x) <= 0 else theta


@wrong_function("02.1", "Compute the signed score of this example before and after your update: does the update help?")
def _visit_in_the_wrong_direction(theta, x, y):
    return theta - y * x if y * (theta @ x) <= 0 else theta


@wrong_function("02.1", "Your test ignores the label: for which label is a negative score right?")
def _visit_that_tests_the_bare_score(theta, x, y):
    return theta + y * x if theta @ x <= 0 else theta


@wrong_function("02.1", "The first entry of θ never changes in your function: what does the 1 in front of x do?")
def _visit_that_keeps_the_offset(theta, x, y):
    return np.append(theta[0], theta[1:] + y * x[1:]) if y * (theta @ x) <= 0 else theta


@wrong_function("02.1", "Your test leaves out one entry of θ and x: what does the 1 in front of x do to the score?")
def _visit_that_tests_without_the_offset(theta, x, y):
    return theta + y * x if y * (theta[1:] @ x[1:]) <= 0 else theta


@wrong_function("02.1", "Your result has one entry fewer than θ: which one is missing?")
def _visit_that_drops_the_offset(theta, x, y):
    return theta[1:] + y * x[1:] if y * (theta @ x) <= 0 else theta[1:]


@wrong_function("02.1", "Some of your updates are twice as long as they should be: what do you multiply x by?")
def _visit_with_double_steps(theta, x, y):
    return theta + (y - np.sign(theta @ x)) * x


@wrong_function("02.1", "You return θ as it was at every visit: does your update reach what you return?")
def _visit_that_never_updates(theta, x, y):
    return theta


@wrong_function("02.1", "Your function updates until the example is right: how many updates does one visit make?")
def _visit_that_repeats_itself(theta, x, y):
    while y * (theta @ x) <= 0:
        theta = theta + y * x
    return theta


@wrong_result("02.1", "Your updates have the right direction but another length: which rate does the algorithm use?")
def _visit_with_another_rate(result, theta, x, y):
    if y * (theta @ x) > 0:
        return same(result, theta)
    rate = y * (result - theta) @ x / (x @ x)
    return rate > 0 and not np.isclose(rate, 1) and same(result, theta + rate * y * x)


@wrong_result("02.1", "You return True or False: which weights does the visit leave behind?")
def _yes_or_no_of_a_visit(result, theta, x, y):
    return isinstance(result, bool | np.bool_)


@wrong_result("02.1", "You return what a comparison says of every entry: did you write == where you meant =?")
def _comparison_of_weights(result, theta, x, y):
    return (np.ndim(result) == 1 and np.asarray(result).dtype == bool) or (y * (theta @ x) > 0 and same(result, theta))


@wrong_function("02.1", "You return only the update: what are the weights after it?")
def _step_of_a_visit(theta, x, y):
    return y * x if y * (theta @ x) <= 0 else 0 * x


@exercise("02.4")
def right_then_wrong(rng: np.random.Generator):
    """X, y: data on which the cyclic run spoils an example that was right."""

    def complaint(answer):
        pair = "The answer must be a pair (X, y): examples, one to a row, and labels, such as ([[3], [5]], [1, 1])"
        try:
            _, _ = answer
        except (TypeError, ValueError):
            return f"{pair}."
        try:
            before, after = _signed_scores(answer)
        except (TypeError, ValueError) as error:
            return f"{pair}.\nAbout yours: {error}."
        if ((before > 0) & (after <= 0)).any():
            return None
        updates = counted(before.shape[1], "update")
        return f"On your data the run makes {updates}, and none turns a positive signed score into zero or less."

    yield trial(want=complaint, praise=_first_spoilt)


def _first_spoilt(answer) -> str:
    """Which example is spoilt first, since which visit it was right, and at which it became wrong again."""
    before, after = _signed_scores(answer)
    k = int(np.flatnonzero(((before > 0) & (after <= 0)).any(axis=0))[0])
    i = int(np.flatnonzero((before[:, k] > 0) & (after[:, k] <= 0))[0])
    mended = np.flatnonzero(before[i, :k] <= 0)[-1]
    visits = perceptron(*Dataset(*answer), max_epochs=100).times + 1
    return f"Example {i} was right after visit {visits[mended]} and wrong again after visit {visits[k]}."


def _signed_scores(answer) -> tuple[np.ndarray, np.ndarray]:
    """The signed scores before and after every update of the cyclic run, one row per example, one column per update."""
    X, y = Dataset(*answer)
    run = perceptron(X, y, max_epochs=100)
    signed = y[:, None] * np.insert(X, 0, 1, axis=1) @ run.thetas.T
    return signed[:, :-1], signed[:, 1:]


def _some_update_could_hurt(X, y) -> bool:
    """Whether two of the signed examples have a negative inner product."""
    signed = y[:, None] * np.insert(X, 0, 1, axis=1)
    return (signed @ signed.T < 0).any()


def _some_update_hurts(X, y) -> bool:
    """Whether an update lowers a positive signed score."""
    before, after = _signed_scores((X, y))
    return ((before > 0) & (after < before)).any()


def _several_examples(answer) -> Dataset:
    """The data of an answer with two examples or more, without the 1 in front; an error if it is something else."""
    X, y = Dataset(*answer)
    if len(y) == 1 or _carries_ones(X):
        raise ValueError
    return Dataset(X, y)


def _carries_ones(X: np.ndarray) -> bool:
    return len(X) > 1 and X.shape[1] > 1 and bool((X[:, 0] == 1).all())


@wrong_result("02.4", "The examples come first in the pair, and their labels second.")
def _labels_first(answer):
    labels, examples = answer
    Dataset(examples, labels)  # an error if they are something else
    return True


@wrong_result("02.4", "Collect the examples in one list and their labels in another.")
def _example_with_its_label(answer):
    examples, labels = zip(*answer, strict=True)
    Dataset(np.reshape(examples, (len(labels), -1)), labels)
    return True


@wrong_result("02.4", "With a single example, there is no other example that an update could make wrong.")
def _one_example(answer):
    return len(Dataset(*answer).y) == 1


@wrong_result(
    "02.4", "Every row begins with a 1, which the run takes for a feature: leave it out, as the run adds its own."
)
def _examples_with_the_one(answer):
    return _carries_ones(Dataset(*answer).X)


@wrong_result("02.4", "No update can hurt another example here: when does an update lower the signed score of another?")
def _harmless_updates(answer):
    return not _some_update_could_hurt(*_several_examples(answer))


@wrong_result(
    "02.4",
    "Two of your examples could hurt each other, but no update lowers a positive signed score: "
    "which updates does the run make, and in which order?",
)
def _harm_that_never_comes(answer):
    X, y = _several_examples(answer)
    return _some_update_could_hurt(X, y) and not _some_update_hurts(X, y)


@wrong_result("02.4", "An update does lower a positive signed score, but not to zero: what decides how far it falls?")
def _too_little_harm(answer):
    return _some_update_hurts(*_several_examples(answer))


@exercise(
    "02.5",
    endless="Either a loop condition never becomes false, or the update never helps the example it is made for: "
    "look at its sign.",
)
def whole_algorithm(rng: np.random.Generator):
    """mistakes(X, y): the indices of the mistakes of a cyclic run, in order, with offset, from zero.

    A line through the origin separates all the data, so that a run without offset ends as well.
    """
    cases = [
        Dataset([[1.0, 2], [1, 1], [0, 1], [1, 0]], [1, -1, 1, -1]),  # seven mistakes; no two usual mistakes agree here
        Dataset([[2.0, 1.0]], [1]),
        Dataset([[1.0], [-2.0]], [-1, 1]),
        Dataset([[6.0, 7.0], [7.0, 8.0], [-1.0, -1.0]], [1, -1, 1]),  # 138 epochs; the last example is right in all
    ]
    while len(cases) < 16:
        n, d = rng.integers([3, 2], [7, 4])
        X = rng.integers(-3, 3, size=(n, d)) + 0.5
        data = Dataset(X, np.where(X @ rng.normal(size=d) > 0, 1, -1))
        if perceptron(*data).epochs > 3:  # in shorter runs, different mistakes can have the same results
            cases.append(data)
    for X, y in cases:
        yield trial(want=perceptron(X, y).mistakes, X=X, y=y)


@wrong_function("02.5", "Your list is always empty: what are the scores when θ = 0, and is a score of 0 a mistake?")
def _mistakes_without_ties(X, y):
    return perceptron(X, y, tie="correct").mistakes


@wrong_function("02.5", ON_THE_LINE)
def _mistakes_with_ties_positive(X, y):
    return perceptron(X, y, tie="positive").mistakes


@wrong_function("02.5", ON_THE_LINE)
def _mistakes_with_ties_negative(X, y):
    return perceptron(X, y, tie="negative").mistakes


@wrong_function("02.5", "You visit every example only once: when does the algorithm stop?")
def _mistakes_of_one_epoch(X, y):
    return perceptron(X, y, max_epochs=1).mistakes


@wrong_result("02.5", "Your run stops while an example is still wrong: how does the algorithm know when to stop?")
def _mistakes_of_a_fixed_number_of_epochs(answer, X, y):
    run = perceptron(X, y)
    epochs = run.times // len(y)
    return any(same(answer, run.mistakes[epochs < stop]) for stop in range(2, run.epochs + 1))


@wrong_function("02.5", "Your list never has more than one mistake in it: what ends your function so early?")
def _first_mistake(X, y):
    return perceptron(X, y).mistakes[:1]


def _mistakes_in_order(X, y, answer, is_mistake, step) -> bool:
    """Whether an answer is that of a run of two epochs or more with another test or update, which may never end."""
    inputs = np.insert(X, 0, 1, axis=1)
    theta, made, epochs, before = np.zeros(inputs.shape[1]), [], 0, -1
    while epochs < 2 or before < len(made) < len(answer):
        epochs, before = epochs + 1, len(made)
        for i, (x, label) in enumerate(zip(inputs, y, strict=True)):
            if is_mistake(theta @ x, label):
                theta = theta + step(x, label)
                made.append(i)
    return same(answer, made)


@wrong_result("02.5", "Your test ignores the label: for which label is a negative score right?")
def _mistakes_by_the_bare_score(answer, X, y):
    return _mistakes_in_order(X, y, answer, lambda score, label: score <= 0, lambda x, label: label * x)


@wrong_result("02.5", "Your update is the same for both labels: which way should an example of class −1 move θ?")
def _mistakes_without_the_label(answer, X, y):
    return _mistakes_in_order(X, y, answer, lambda score, label: label * score <= 0, lambda x, label: x)


@wrong_result("02.5", "Compute a signed score before and after your update: does the update help?")
def _mistakes_in_the_wrong_direction(answer, X, y):
    return _mistakes_in_order(X, y, answer, lambda score, label: label * score <= 0, lambda x, label: -label * x)


@wrong_function("02.5", "Your run ends at the first example that is right: are all the others right as well?")
def _mistakes_up_to_a_right_visit(X, y):
    run = perceptron(X, y)
    return run.mistakes[run.times == np.arange(len(run.times))]


@wrong_function("02.5", "Your run ends when the last example of an epoch is right: what about the others?")
def _mistakes_up_to_a_right_last_visit(X, y):
    run, n = perceptron(X, y), len(y)
    last = next(epoch for epoch in range(run.epochs) if n * epoch + n - 1 not in run.times)
    return run.mistakes[run.times < n * (last + 1)]


@wrong_function("02.5", "After a mistake you start again from the first example: which example should come next?")
def _mistakes_when_starting_again(X, y):
    signed = y[:, None] * np.insert(X, 0, 1, axis=1)
    theta, made = np.zeros(signed.shape[1]), []
    while len(wrong := np.flatnonzero(signed @ theta <= 0)):
        theta = theta + signed[wrong[0]]
        made.append(wrong[0])
    return made


@wrong_function("02.5", "In your run all visits of an epoch use the same weights: when does an update take effect?")
def _mistakes_of_whole_epochs(X, y):
    signed = y[:, None] * np.insert(X, 0, 1, axis=1)
    theta, made = np.zeros(signed.shape[1]), []
    while len(wrong := np.flatnonzero(signed @ theta <= 0)):
        theta = theta + signed[wrong].sum(axis=0)
        made.extend(wrong)
    return made


@wrong_result("02.5", "Your list repeats itself: what happens to θ between one epoch and the next?")
def _mistakes_of_the_first_epoch_again(answer, X, y):
    epoch = perceptron(X, y, max_epochs=1).mistakes
    times = len(answer) // len(epoch)
    return times > 1 and np.array_equal(answer, np.tile(epoch, times))


@wrong_function("02.5", "All your lines pass through the origin: which weight would move them away from it?")
def _mistakes_without_offset(X, y):
    return perceptron(X, y, bias=False).mistakes


@wrong_function("02.5", "Every number in your list is one too large: how does Python number the rows of X?")
def _mistakes_from_one(X, y):
    return perceptron(X, y).mistakes + 1


@wrong_function("02.5", "You return how many mistakes there are: which examples are they on?")
def _mistakes_counted(X, y):
    return len(perceptron(X, y).mistakes)


@wrong_function("02.5", "You return the visits at which the mistakes happen: which examples are they on?")
def _times_of_mistakes(X, y):
    return perceptron(X, y).times


@wrong_result("02.5", "You return weights: which examples caused the updates that led to them?")
def _weights_of_the_run(answer, X, y):
    run = perceptron(X, y)
    return any(same(answer, weights) for weights in (run.theta, run.thetas, run.thetas[1:]))


@wrong_result("02.5", "You return more than the mistakes: what else is in it?")
def _mistakes_and_more(answer, X, y):
    return isinstance(answer, tuple) and any(same(part, perceptron(X, y).mistakes) for part in answer)


@wrong_result("02.5", "You return a set: does a set keep the order, and can it hold an index twice?")
def _mistakes_as_a_set(answer, X, y):
    return isinstance(answer, set)


@wrong_function("02.5", "Your list is sorted: in which order does the run make these mistakes?")
def _sorted_mistakes(X, y):
    return np.sort(perceptron(X, y).mistakes)


@wrong_function("02.5", "Every index is in your list only once: can the run be wrong about the same example again?")
def _distinct_mistakes_sorted(X, y):
    return np.unique(perceptron(X, y).mistakes)


@wrong_function("02.5", "Every index is in your list only once: can the run be wrong about the same example again?")
def _distinct_mistakes_in_order(X, y):
    return list(dict.fromkeys(perceptron(X, y).mistakes.tolist()))
