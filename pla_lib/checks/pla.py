"""The exercises of chapter 02, and the mistakes that students often make in them."""

import numpy as np

from pla_lib.checks import exercise, trial, wrong_function, wrong_result
from pla_lib.checks.trials import difference
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
    for _ in range(20):
        theta, x, y = rng.normal(size=3).round(2), np.append(1, rng.normal(size=2).round(2)), int(rng.choice([-1, 1]))
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


@wrong_function("02.1", "You return only the update: what are the weights after it?")
def _step_of_a_visit(theta, x, y):
    return y * x if y * (theta @ x) <= 0 else 0 * x


@exercise("02.4")
def right_then_wrong(rng: np.random.Generator):
    """X, y: data on which the cyclic run spoils an example that was right."""

    def complaint(answer):
        pair = "The answer must be a pair (X, y), the examples and their labels"
        try:
            _, _ = answer
        except (TypeError, ValueError):
            return f"{pair}."
        try:
            before, after = _signed_scores(answer)
        except (TypeError, ValueError) as error:
            return f"{pair}: {error}."
        if ((before > 0) & (after <= 0)).any():
            return None
        updates = counted(before.shape[1], "update")
        return f"On your data the run makes {updates}, and none turns a positive signed score into zero or less."

    yield trial(want=complaint)


def _signed_scores(answer) -> tuple[np.ndarray, np.ndarray]:
    """The signed scores before and after every update of the cyclic run, one row per example, one column per update."""
    X, y = Dataset(*answer)
    run = perceptron(X, y, max_epochs=100)
    signed = y[:, None] * np.insert(X, 0, 1, axis=1) @ run.thetas.T
    return signed[:, :-1], signed[:, 1:]


def _some_update_could_hurt(answer) -> bool:
    """Whether two of the signed examples have a negative inner product."""
    X, y = Dataset(*answer)
    signed = y[:, None] * np.insert(X, 0, 1, axis=1)
    return (signed @ signed.T < 0).any()


def _some_update_hurts(answer) -> bool:
    """Whether an update lowers a positive signed score."""
    before, after = _signed_scores(answer)
    return ((before > 0) & (after < before)).any()


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


@wrong_result("02.4", "No update can hurt another example here: when does an update lower the signed score of another?")
def _harmless_updates(answer):
    return len(Dataset(*answer).y) > 1 and not _some_update_could_hurt(answer)


@wrong_result(
    "02.4",
    "Two of your examples could hurt each other, but no update lowers a positive signed score: "
    "which updates does the run make, and in which order?",
)
def _harm_that_never_comes(answer):
    return _some_update_could_hurt(answer) and not _some_update_hurts(answer)


@wrong_result("02.4", "An update does lower a positive signed score, but not to zero: what decides how far it falls?")
def _too_little_harm(answer):
    return _some_update_hurts(answer)


@exercise("02.5")
def whole_algorithm(rng: np.random.Generator):
    """mistakes(X, y): the indices of the mistakes of a cyclic run, in order, with offset, from zero.

    A line through the origin separates all the data, so that a run without offset ends as well.
    """
    cases = [
        Dataset([[1.0, 2], [1, 1], [0, 1], [1, 0]], [1, -1, 1, -1]),  # seven mistakes; no two usual mistakes agree here
        Dataset([[2.0, 1.0]], [1]),
        Dataset([[1.0], [-2.0]], [-1, 1]),
    ]
    while len(cases) < 15:
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
    return any(difference(answer, weights) is None for weights in (run.theta, run.thetas, run.thetas[1:]))


@wrong_function("02.5", "Your list is sorted: in which order does the run make these mistakes?")
def _sorted_mistakes(X, y):
    return np.sort(perceptron(X, y).mistakes)


@wrong_function("02.5", "Every index is in your list only once: can the run be wrong about the same example again?")
def _distinct_mistakes_sorted(X, y):
    return np.unique(perceptron(X, y).mistakes)


@wrong_function("02.5", "Every index is in your list only once: can the run be wrong about the same example again?")
def _distinct_mistakes_in_order(X, y):
    return list(dict.fromkeys(perceptron(X, y).mistakes.tolist()))
