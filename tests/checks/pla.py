"""Answers to the exercises of chapter 02: right ones, and wrong ones with words that the check should say."""

import numpy as np


def visit(theta, x, y):
    return theta + y * x if y * (theta @ x) <= 0 else theta


def visit_with_a_strict_test(theta, x, y):
    if y * np.dot(theta, x) < 0:
        return theta + y * x
    return theta


def visit_where_zero_is_positive(theta, x, y):
    prediction = np.where(np.dot(theta, x) >= 0, 1, -1)
    return theta if prediction == y else theta + y * x


def visit_where_zero_is_negative(theta, x, y):
    prediction = np.where(np.dot(theta, x) > 0, 1, -1)
    return theta if prediction == y else theta + y * x


def visit_that_always_updates(theta, x, y):
    return theta + y * x


def visit_that_updates_when_right(theta, x, y):
    return theta if np.sign(theta @ x) != y else theta + y * x


def visit_without_the_label(theta, x, y):
    return theta + x if y * (theta @ x) <= 0 else theta


def visit_that_subtracts(theta, x, y):
    return [t - y * z if y * np.dot(theta, x) <= 0 else t for t, z in zip(theta, x, strict=True)]


def visit_with_the_score_alone(theta, x, y):
    return theta if sum(theta * x) > 0 else theta + y * x


def visit_of_the_weights_alone(theta, x, y):
    new = theta.copy()
    if y * (theta @ x) <= 0:
        new[1:] += y * x[1:]
    return new


def visit_with_a_score_without_offset(theta, x, y):
    return theta + y * x if y * (theta[1:] @ x[1:]) <= 0 else theta


def visit_with_a_result_without_offset(theta, x, y):
    return visit(theta, x, y)[1:]


def visit_by_the_error(theta, x, y):
    return theta + (y - np.sign(theta @ x)) * x


def visit_that_returns_the_step(theta, x, y):
    return visit(theta, x, y) - theta


def visit_of_an_unknown(theta, x, y):
    return theta + z  # noqa: F821


def visit_until_right(theta, x, y):
    while y * (theta @ x) <= 0:
        theta = theta + y * x
    return theta


def visit_at_rate(eta):
    return lambda theta, x, y: theta + eta * y * x if y * (theta @ x) <= 0 else theta


def visit_with_an_update_of_its_own_length(theta, x, y):
    return theta + y * x / np.linalg.norm(x) if y * (theta @ x) <= 0 else theta


def visit_that_compares(theta, x, y):
    if y * (theta @ x) <= 0:
        return theta == theta + y * x
    return theta


def visit_that_compares_and_returns_the_old(theta, x, y):
    if y * (theta @ x) <= 0:
        theta == theta + y * x  # noqa: B015
    return theta


def visit_in_another_order(x, theta, y):
    return theta + y * x if y * (theta @ x) <= 0 else theta


def visit_that_fails_in_another_order(theta, y, x):
    return theta + y * x if y * (theta @ x) <= 0 else theta


def visit_that_changes_its_input(theta, x, y):
    if y * (theta @ x) <= 0:
        theta += y * x
    return theta


def visit_that_always_changes_its_input(theta, x, y):
    theta += y * x
    return theta


def visit_that_prints(theta, x, y):
    print(visit(theta, x, y))


def visit_without_a_last_return(theta, x, y):
    if y * (theta @ x) <= 0:
        return theta + y * x


def visit_with_two_faults(theta, x, y):
    return theta + x if y * (theta @ x) < 0 else theta


def visit_that_fails_once_more(theta, x, y):
    """Always updates, except on long examples."""
    return theta + y * x if abs(x[1]) < 1.5 else theta


def mistakes(X, y, wrong=lambda score, label: label * score <= 0, epochs=10_000, one=1.0, step=np.multiply):
    inputs = np.c_[np.full(len(X), one), X]
    theta, made = np.zeros(inputs.shape[1]), []
    for _ in range(epochs):
        before = len(made)
        for i in range(len(y)):
            if wrong(theta @ inputs[i], y[i]):
                theta = theta + step(y[i], inputs[i])
                made.append(i)
        if len(made) == before:
            break
    return made


def mistakes_with_a_strict_test(X, y):
    return mistakes(X, y, wrong=lambda score, label: label * score < 0)


def mistakes_where_zero_is_positive(X, y):
    return mistakes(X, y, wrong=lambda score, label: (1 if score >= 0 else -1) != label)


def mistakes_where_zero_is_negative(X, y):
    return mistakes(X, y, wrong=lambda score, label: (1 if score > 0 else -1) != label)


def mistakes_of_one_epoch(X, y):
    return mistakes(X, y, epochs=1)


def mistakes_of_two_epochs(X, y):
    return mistakes(X, y, epochs=2)


def mistakes_of_epochs_that_all_run(X, y, epochs=5):
    inputs, theta, made = np.c_[np.ones(len(X)), X], np.zeros(X.shape[1] + 1), []
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * (theta @ inputs[i]) <= 0:
                theta = theta + y[i] * inputs[i]
                made.append(i)
    return made


def mistakes_with_a_return_in_the_loop(X, y):
    inputs, theta, made = np.c_[np.ones(len(X)), X], np.zeros(X.shape[1] + 1), []
    while True:
        for i in range(len(y)):
            if y[i] * (theta @ inputs[i]) <= 0:
                theta = theta + y[i] * inputs[i]
                made.append(i)
            return made


def mistakes_by_the_bare_score(X, y, epochs=20):
    return mistakes(X, y, wrong=lambda score, label: score <= 0, epochs=epochs)


def mistakes_without_the_label(X, y, epochs=20):
    return mistakes(X, y, step=lambda label, x: x, epochs=epochs)


def mistakes_in_the_wrong_direction(X, y, epochs=20):
    return mistakes(X, y, step=lambda label, x: -label * x, epochs=epochs)


def mistakes_without_offset(X, y):
    theta, made, done = np.zeros(X.shape[1]), [], False
    while not done:
        done = True
        for i, (x_i, y_i) in enumerate(zip(X, y, strict=True)):
            if y_i * (theta @ x_i) <= 0:
                theta = theta + y_i * x_i
                made.append(i)
                done = False
    return made


def mistakes_until_one_is_right(X, y):
    inputs, theta, made, i = np.c_[np.ones(len(X)), X], np.zeros(X.shape[1] + 1), [], 0
    while y[i] * (theta @ inputs[i]) <= 0:
        theta = theta + y[i] * inputs[i]
        made.append(i)
        i = (i + 1) % len(y)
    return made


def mistakes_with_done_in_the_inner_loop(X, y):
    inputs, theta, made, done = np.c_[np.ones(len(X)), X], np.zeros(X.shape[1] + 1), [], False
    while not done:
        for i in range(len(y)):
            done = True
            if y[i] * (theta @ inputs[i]) <= 0:
                theta = theta + y[i] * inputs[i]
                made.append(i)
                done = False
    return made


def mistakes_with_a_break(X, y):
    inputs, theta, made, done = np.c_[np.ones(len(X)), X], np.zeros(X.shape[1] + 1), [], False
    while not done:
        done = True
        for i in range(len(y)):
            if y[i] * (theta @ inputs[i]) <= 0:
                theta = theta + y[i] * inputs[i]
                made.append(i)
                done = False
                break
    return made


def mistakes_with_one_score_per_epoch(X, y):
    inputs, theta, made = np.c_[np.ones(len(X)), X], np.zeros(X.shape[1] + 1), []
    while True:
        scores = inputs @ theta
        before = len(made)
        for i in range(len(y)):
            if y[i] * scores[i] <= 0:
                theta = theta + y[i] * inputs[i]
                made.append(i)
        if len(made) == before:
            return made


def mistakes_that_forget(X, y, epochs=30):
    made = []
    for _ in range(epochs):
        new = mistakes(X, y, epochs=1)
        if not new:
            break
        made += new
    return made


def weights(X, y):
    """All thetas of the run, from zero on."""
    signed = np.c_[y, y[:, None] * X]
    return [sum(signed[mistakes(X, y)[:k]], np.zeros(X.shape[1] + 1)) for k in range(len(mistakes(X, y)) + 1)]


def visits_of_mistakes(X, y):
    made, when, i = mistakes(X, y), [], -1
    for index in made:
        i = next(t for t in range(i + 1, 10_000) if t % len(y) == index)
        when.append(i)
    return when


ON_THE_LINE = "Think of an example of either class that lies exactly on the line"
ONLY_ONCE = "Every index is in your list only once"

RIGHT = {
    "02.1": [visit, lambda weights, example, label: tuple(visit(weights, example, label))],
    "02.4": [([[1], [0]], [1, -1])],
    "02.5": [
        mistakes,
        lambda X, y: tuple(mistakes(X, y)),
        lambda X, y: [np.int64(i) for i in mistakes(X, y)],
    ],
}
WRONG = {
    "02.1": [
        (visit_with_a_strict_test, ON_THE_LINE),
        (visit_where_zero_is_positive, ON_THE_LINE),
        (visit_where_zero_is_negative, ON_THE_LINE),
        (visit_that_always_updates, "You change the weights at every visit"),
        (visit_that_updates_when_right, "You change the weights when the example is right"),
        (visit_without_the_label, "Your update is the same for both labels"),
        (visit_that_subtracts, "Compute the signed score of this example before and after your update"),
        (visit_with_the_score_alone, "Your test ignores the label"),
        (visit_of_the_weights_alone, "The first entry of θ never changes"),
        (visit_with_a_score_without_offset, "Your test leaves out one entry of θ and x"),
        (visit_with_a_result_without_offset, "one entry fewer than θ"),
        (visit_by_the_error, "twice as long"),
        (visit_that_returns_the_step, "You return only the update"),
        (visit_until_right, "Your function updates until the example is right"),
        (visit_at_rate(0.1), "the right direction but another length"),
        (visit_at_rate(0.5), "the right direction but another length"),
        (visit_at_rate(2), "the right direction but another length"),
        (visit_with_an_update_of_its_own_length, "the right direction but another length"),
        (lambda theta, x, y: y * (theta @ x) <= 0, "You return True or False"),
        (lambda theta, x, y: bool(y * (theta @ x) > 0), "You return True or False"),
        (visit_that_compares, "You return what a comparison says"),
        (lambda theta, x, y: theta == theta + y * x, "You return what a comparison says"),
        (visit_that_compares_and_returns_the_old, "You return θ as it was"),
        (visit_in_another_order, "has the parameters x, theta, y, but it is called with theta, x, y, in this order."),
        (
            visit_that_fails_in_another_order,
            "parameters theta, y, x, but it is called with theta, x, y, in this order.",
        ),
        (visit_with_two_faults, "returned [0.0, 0.0, 0.0].\nIt should return [1.0, 2.0, 1.0]."),
        (visit_that_fails_once_more, "It should return"),
        (visit_that_changes_its_input, "the result is right, but your function changes theta"),
        (visit_that_always_changes_its_input, "the result is right, but your function changes theta"),
        (visit_that_prints, "your function returned None. Did you use print instead of return?"),
        (visit_without_a_last_return, "your function returned None. Every path through it"),
        (visit_of_an_unknown, "`return theta + z  # noqa: F821`, with NameError: name 'z' is not defined"),
        (lambda theta, x: theta, "has the parameters (theta, x), but it is called with 3 arguments: theta, x, y."),
        (visit(np.zeros(3), np.ones(3), 1), "must be a function, but you passed an array. Pass the function itself"),
        (3, "must be a function, but you passed a value of type int"),
        (None, "must be a function, but you passed None"),
    ],
    "02.4": [
        (([[2], [0]], [1, 1]), "No update can hurt another example here"),
        (([[3]], [1]), "With a single example"),
        (([[1, 3]], [1]), "With a single example"),
        (([[1, 2], [1, 0]], [1, 1]), "Every row begins with a 1"),
        (([[1, 2], [1, 0]], [1, -1]), "Every row begins with a 1"),
        (([[-2], [0], [1]], [1, 1, -1]), "Two of your examples could hurt each other"),
        (([[2], [0]], [1, -1]), "An update does lower a positive signed score"),
        (([1, -1], [[1], [0]]), "The examples come first in the pair"),
        ([([1], 1), ([0], -1)], "Collect the examples in one list"),
        ([(1, 1), (0, -1), (2, 1)], "Collect the examples in one list"),
        ([([2, 1], 1), ([0, 3], -1), ([1, 1], 1)], "Collect the examples in one list"),
        (([[1, 2], [3]], [1, -1]), "a pair (X, y)"),
        (([1, 0], [1, -1]), "X must have one example to a row"),
        (7, "a pair (X, y)"),
        (
            {1, 2},
            "such as ([[3], [5]], [1, 1]).\nAbout yours: X must have one example to a row; it holds a single number.",
        ),
        ("nonsense", "a pair (X, y)"),
        (mistakes, "must be a value, but you passed a function"),
    ],
    "02.5": [
        (mistakes_with_a_strict_test, "Your list is always empty"),
        (mistakes_where_zero_is_positive, ON_THE_LINE),
        (mistakes_where_zero_is_negative, ON_THE_LINE),
        (mistakes_of_one_epoch, "You visit every example only once"),
        (mistakes_of_two_epochs, "Your run stops while an example is still wrong"),
        (mistakes_of_epochs_that_all_run, "Your run stops while an example is still wrong"),
        (lambda X, y: mistakes_of_epochs_that_all_run(X, y, epochs=100), "while an example is still wrong"),
        (mistakes_with_a_return_in_the_loop, "Your list never has more than one mistake"),
        (mistakes_by_the_bare_score, "Your test ignores the label"),
        (lambda X, y: mistakes_by_the_bare_score(X, y, epochs=2), "Your test ignores the label"),
        (mistakes_without_the_label, "Your update is the same for both labels"),
        (mistakes_in_the_wrong_direction, "does the update help?"),
        (mistakes_until_one_is_right, "Your run ends at the first example that is right"),
        (mistakes_with_done_in_the_inner_loop, "Your run ends when the last example of an epoch is right"),
        (mistakes_with_a_break, "After a mistake you start again from the first example"),
        (mistakes_with_one_score_per_epoch, "all visits of an epoch use the same weights"),
        (mistakes_that_forget, "Your list repeats itself"),
        (lambda X, y: mistakes_that_forget(X, y, epochs=3), "Your list repeats itself"),
        (mistakes_without_offset, "All your lines pass through the origin"),
        (lambda X, y: [i + 1 for i in mistakes(X, y)], "one too large"),
        (lambda X, y: len(mistakes(X, y)), "You return how many mistakes there are"),
        (visits_of_mistakes, "You return the visits"),
        (lambda X, y: weights(X, y)[-1], "You return weights"),
        (lambda X, y: weights(X, y)[1:], "You return weights"),
        (weights, "You return weights"),
        (lambda X, y: sorted(mistakes(X, y)), "Your list is sorted"),
        (lambda X, y: list(set(mistakes(X, y))), ONLY_ONCE),
        (lambda X, y: list(dict.fromkeys(mistakes(X, y))), ONLY_ONCE),
        (lambda X, y: set(mistakes(X, y)), "You return a set"),
        (lambda X, y: (mistakes(X, y), weights(X, y)[-1]), "You return more than the mistakes"),
        (lambda X, y: (weights(X, y)[-1], mistakes(X, y), 7), "You return more than the mistakes"),
        (lambda X, y: mistakes(X, y)[::-1], "It should return"),
    ],
}
