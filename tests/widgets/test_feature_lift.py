"""The lift on its page, with no kernel: every control; what is shown against pla_lib's numbers and NumPy's rotation."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import Hyperplane, blobs, disc_in_ring, max_margin, quadratic, semicircles, xor
from pla_lib.widgets._feature_lift import feature_lift
from tests.widgets.drawn import as_text, corners, put, show, stand_in, value
from tests.widgets.gestures import swipe

X, Y = disc_in_ring(80)  # as the page makes it
P = np.c_[X, (X**2).sum(axis=1)]
BEST = max_margin(P, Y).theta
REACH = 1.08 * np.linalg.norm(X, axis=1).max()


@pytest.fixture
def lift(widget) -> Page:
    widget.emulate_media(reduced_motion="reduce")
    show(widget)
    return widget


def length_text(length: float) -> str:
    """A length of the ground as the widget writes it, to the hundredth."""
    return as_text(round(length, 2))


def drawn(page: Page, tag: str) -> np.ndarray:
    """Where the marks of one class, circles or rects, are in the picture of space."""
    found = page.locator(f".pla-rotatable g > {tag}").evaluate_all(
        "all => all.map(node => node.getAttribute('transform'))"
    )
    return np.array([corners(transform.split(")")[0])[0] for transform in found])


def seen(points: np.ndarray, azimuth: float, elevation: float) -> np.ndarray:
    """The points turned by -azimuth around the x3 axis, then down by the elevation, and the depth dropped."""
    a, e = np.deg2rad([-azimuth, elevation])
    about_x3 = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    about_x2 = np.array([[np.cos(e), 0, np.sin(e)], [0, 1, 0], [-np.sin(e), 0, np.cos(e)]])
    box = points / [REACH, REACH, REACH**2] * [1, 1, 1.4]
    _, across, up = about_x2 @ about_x3 @ box.T
    middle = 0.7 * np.cos(e)
    return np.c_[200 + 128 * across, 0.52 * 340 - 128 * (up - middle)]


def expect_scene(page: Page) -> None:
    """Marks, crosses, shadow, tint, words and numbers are those of the model's values."""
    theta, lifted, azimuth, elevation = (np.array(value(page, n)) for n in ("theta", "lift", "azimuth", "elevation"))
    plane = Hyperplane.from_theta(theta)
    wrong = Y * plane.score(P) <= 0
    # The same in all quadratic features, x1, x2, x1^2, x1 x2, x2^2.
    whole = Hyperplane(plane.w[[0, 1, 2, 2, 2]] * [1, 1, 1, 0, 1], plane.b)
    assert (wrong == (Y * whole.score(quadratic(X)) <= 0)).all()
    places = seen(P * [1, 1, lifted], azimuth, elevation)
    for tag, label in (("circle", 1), ("rect", -1)):
        apart = np.linalg.norm(drawn(page, tag)[:, None] - places[label == Y], axis=2)
        assert apart.shape == (40, 40)
        assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < 0.08
    for k, picture in enumerate((page.locator(".pla-rotatable"), page.locator(".pla-pictures > svg").nth(1))):
        middles = corners(picture.locator(".pla-wrong").get_attribute("d")).reshape(-1, 4, 2).mean(axis=1)
        at = places[wrong] if k == 0 else [[200, 170]] + X[wrong] * [1, -1] * 0.8 * 340 / 2 / REACH
        assert middles == pytest.approx(np.array(at).reshape(-1, 2), abs=0.1)
    first = page.locator(".pla-numbers strong").first
    expect(first).to_have_text(f"{wrong.sum()} of 80")
    words = page.locator(".pla-words")
    expect(words).to_contain_text(
        f"leaves {wrong.sum()} point" if wrong.any() else "the plane separates the classes" if lifted else "plane does."
    )
    a, c, h = -plane.w[0] / plane.w[2], -plane.w[1] / plane.w[2], -plane.b / plane.w[2]
    squared = h + (a**2 + c**2) / 4
    boundary = corners(page.locator(".pla-boundary").get_attribute("d"))
    if squared < 0:
        expect(words).to_contain_text("It does not meet the paraboloid: no shadow.")
        assert not len(boundary)
        return
    centre, radius = f"({length_text(a / 2)}, {length_text(c / 2)})", length_text(squared**0.5)
    expect(words).to_contain_text(f"Its shadow is the circle around {centre} with radius {radius}.")
    expect(page.locator(".pla-numbers strong").nth(1)).to_have_text(centre)
    expect(page.locator(".pla-numbers strong").nth(2)).to_have_text(radius)
    circle = (boundary - [200, 170]) / [1, -1] * REACH * 2 / 340 / 0.8
    assert np.abs(plane.score(np.c_[circle, (circle**2).sum(axis=1)])).max() < 0.03 * abs(plane.w[2])
    # In space the cut is on the plane and on the paraboloid, and its shadow below it, on the ground.
    inside = circle[np.linalg.norm(circle, axis=1) < 0.999 * REACH]
    flat = {"cut": np.c_[inside, (inside**2).sum(axis=1)], "shadow": np.c_[inside, 0 * inside[:, 0]]}
    for name, points in flat.items():
        line = corners(page.locator(f".pla-rotatable .pla-{name}").get_attribute("d"))
        for place in seen(points, azimuth, elevation)[::7]:
            assert np.linalg.norm(line - place, axis=1).min() < 0.5, name


def test_it_starts_on_the_ground_with_the_plane_of_widest_margin(lift):
    assert value(lift, "theta") == pytest.approx(BEST)
    assert (value(lift, "lift"), value(lift, "azimuth"), value(lift, "elevation")) == (0, -60, 25)
    expect(lift.locator(".pla-words")).to_contain_text("On the ground no line separates the classes. At the height")
    expect_scene(lift)


def test_button_lifts_and_puts_down(lift):
    lift.get_by_role("button", name="Lift").click()
    assert value(lift, "lift") == 1
    expect_scene(lift)
    lift.keyboard.press("Enter")
    expect(lift.get_by_role("button", name="Lift")).to_be_focused()
    assert value(lift, "lift") == 0
    expect_scene(lift)


def test_points_rise_in_many_small_steps_where_motion_is_welcome(lift):
    lift.emulate_media(reduced_motion="no-preference")
    lift.evaluate("window.lifts = []; model.on('change:lift', () => lifts.push(model.get('lift')))")
    lift.get_by_role("button", name="Lift").click()
    expect(lift.get_by_role("button", name="Put down")).to_be_visible()
    lifts = lift.evaluate("lifts")
    assert len(lifts) > 5
    assert lifts == sorted(lifts)
    assert lifts[-1] == 1
    expect_scene(lift)


def test_every_slider_by_keyboard_and_mouse(lift):
    a, c, h = (-BEST[k] / BEST[3] for k in (1, 2, 0))
    controls = {"Lift": "lift", "Turn": "azimuth", "Look down": "elevation"}
    for name, trait in controls.items():
        slider = lift.get_by_role("slider", name=name)
        slider.focus()
        before = value(lift, trait)
        lift.keyboard.press("ArrowRight")
        assert value(lift, trait) == pytest.approx(before + float(slider.get_attribute("step")))
        expect_scene(lift)
    for name, k, start in (("Plane’s height", 0, h), ("Slope along x₁", 1, a), ("Slope along x₂", 2, c)):
        theta = np.array(value(lift, "theta"))
        slider = lift.get_by_role("slider", name=name)
        slider.focus()
        lift.keyboard.press("ArrowRight")
        theta[k] = -(round(start, 2) + 0.01) * theta[3]
        assert value(lift, "theta") == pytest.approx(theta)
        expect_scene(lift)
        box = slider.bounding_box()
        lift.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
        assert value(lift, "theta")[k] != pytest.approx(theta[k])
        expect_scene(lift)
    lift.get_by_role("button", name="Reset plane").click()
    assert value(lift, "theta") == pytest.approx(BEST)
    expect_scene(lift)


def test_plane_below_the_paraboloid_has_no_shadow(lift):
    lift.get_by_role("slider", name="Plane’s height").focus()
    lift.keyboard.press("Home")
    expect_scene(lift)
    expect(lift.locator(".pla-words")).to_contain_text("no shadow")
    expect(lift.locator(".pla-numbers strong").nth(2)).to_have_text("–")


def test_space_is_turned_by_dragging_and_by_arrow_keys(lift):
    lift.get_by_role("button", name="Lift").click()
    lift.locator(".pla-rotatable").evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = lift.locator(".pla-rotatable").bounding_box()
    lift.mouse.move(box["x"] + 150, box["y"] + 100)
    lift.mouse.down()
    lift.mouse.move(box["x"] + 110, box["y"] + 120, steps=4)
    assert (value(lift, "azimuth"), value(lift, "elevation")) == pytest.approx((-40, 35))
    expect_scene(lift)
    lift.mouse.up()
    lift.mouse.move(box["x"] + 10, box["y"] + 10)
    assert value(lift, "azimuth") == pytest.approx(-40)
    expect(lift.locator(".pla-rotatable")).to_be_focused()
    turns = {"ArrowLeft": (-35, 35), "ArrowRight": (-40, 35), "ArrowDown": (-40, 40), "Shift+ArrowUp": (-40, 39)}
    for key, (azimuth, elevation) in turns.items():
        lift.keyboard.press(key)
        assert (value(lift, "azimuth"), value(lift, "elevation")) == pytest.approx((azimuth, elevation))
        expect_scene(lift)
    for _ in range(12):
        lift.keyboard.press("ArrowDown")
    assert value(lift, "elevation") == 90  # straight from above, and no further


def test_nearer_points_are_drawn_later(lift):
    put(lift, lift=1, azimuth=20, elevation=30)
    groups = [
        lift.locator(f".pla-rotatable > g:nth-of-type({k})").evaluate(
            "g => [...g.children].map(node => node.getAttribute('transform'))"
        )
        for k in (1, 4)
    ]
    places = seen(P, 20, 30)
    a, e = np.deg2rad([20, 30])
    depth = P / [REACH, REACH, REACH**2 / 1.4] @ [np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)]
    above = Hyperplane.from_theta(BEST).score(P) >= 0
    for group, mine in zip(groups, (~above, above), strict=True):
        assert len(group) == mine.sum()
        order = np.flatnonzero(mine)[np.argsort(depth[mine])]
        at = np.array([corners(transform.split(")")[0])[0] for transform in group])
        assert np.abs(at - places[order]).max() < 0.06


def test_values_set_from_python_are_drawn(lift):
    put(lift, theta=[-2.0, 0.6, -0.4, 1.5], lift=0.4, azimuth=100, elevation=60)
    expect_scene(lift)
    expect(lift.locator(".pla-words")).to_contain_text("The points rise to the height")
    expect(lift.get_by_role("slider", name="Lift")).to_have_value("0.4")
    expect(lift.get_by_role("slider", name="Slope along x₁")).to_have_value("-0.4")
    # The other way round: class -1 is to be outside.
    put(lift, theta=[2.0, -0.6, 0.4, -1.5])
    expect_scene(lift)


def test_upright_plane_has_a_line_for_a_shadow_and_none_has_nothing(lift):
    put(lift, theta=[0.5, 1.0, 2.0, 0.0], lift=1)
    expect(lift.locator(".pla-words")).to_contain_text("It stands upright: its shadow is a line.")
    wrong = (Y * Hyperplane.from_theta([0.5, 1, 2]).score(X) <= 0).sum()
    expect(lift.locator(".pla-numbers strong")).to_have_text([f"{wrong} of 80", "–", "–", "upright"])
    ends = (corners(lift.locator(".pla-boundary").get_attribute("d")) - [200, 170]) / [1, -1] * REACH * 2 / 340 / 0.8
    assert ends @ [1, 2] + 0.5 == pytest.approx([0, 0], abs=0.02)
    assert len(corners(lift.locator(".pla-cut").get_attribute("d"))) > 50
    put(lift, theta=[0.0, 0.0, 0.0, 0.0])
    expect(lift.locator(".pla-words")).to_contain_text("there is no plane while w = 0")
    assert lift.locator(".pla-cutting-plane").get_attribute("d") == ""
    lift.get_by_role("slider", name="Plane’s height").press("ArrowRight")
    assert value(lift, "theta")[3] == 1
    expect_scene(lift)


def test_touch_turns_sideways_and_buttons_take_taps(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/feature_lift.html")
    phone.locator(".pla").wait_for()
    show(phone)
    # The taps come first: one right after a swipe only stops the swipe.
    for name in ("Lift", "Reset plane"):
        button = phone.get_by_role("button", name=name)
        assert button.bounding_box()["height"] >= 44
        button.evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
        button.tap()
    expect(phone.get_by_role("button", name="Put down")).to_be_visible()
    phone.locator(".pla-rotatable").evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = phone.locator(".pla-rotatable").bounding_box()
    swipe(phone, (box["x"] + 200, box["y"] + 100), (-80, 0), steps=8)
    assert value(phone, "azimuth") == pytest.approx(-20)
    expect_scene(phone)


def test_sentence_is_true_of_its_data():
    there = feature_lift(X, Y).sentence()
    assert there.startswith("80 points of two classes, which no line separates, rise")
    radius = np.sqrt(-BEST[0] / BEST[3] + (BEST[1] ** 2 + BEST[2] ** 2) / 4 / BEST[3] ** 2)
    assert "A plane separates them there" in there
    assert there.endswith(f"with radius {radius:.2f}.")
    assert "which a line separates" in feature_lift(*blobs()).sentence()
    crossed = feature_lift(*xor())
    wrong = (
        crossed.y * (np.c_[crossed.X, (crossed.X**2).sum(axis=1)] @ crossed.theta[1:] + crossed.theta[0]) <= 0
    ).sum()
    assert f"A plane leaves {wrong} point" in crossed.sentence()
    assert "its shadow on the ground is a line" in feature_lift(*semicircles()).sentence()
    low = feature_lift(X, Y)
    low.theta = [1.0, 0.0, 0.0, 1.0]
    assert low.sentence().endswith("40 points on the wrong side; it does not meet the paraboloid and has no shadow.")


def test_picture_is_small():
    stand_in(feature_lift(X, Y))


@pytest.mark.parametrize(
    ("points", "labels", "words"),
    [
        ([[1, 2, 3], [3, 2, 1]], [1, -1], "two features; these have 3"),
        ([[1, 2], [2, 1]], [1, 1], r"between two classes, but every label in y is \+1"),
        ([[1, 2], [2, np.nan]], [1, -1], "must be finite"),
        ([[1, 2], [2, 1]], [1, 0], "labels must be -1 or"),
    ],
)
def test_bad_input_is_refused_in_words(points, labels, words):
    with pytest.raises(ValueError, match=words):
        feature_lift(points, labels)
