"""The lift on its page, with no kernel: every control; what is shown against pla_lib's numbers and NumPy's rotation."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pla_lib import Hyperplane, blobs, disc_in_ring, max_margin, quadratic, semicircles, xor
from pla_lib.widgets._feature_lift import feature_lift
from tests.widgets.drawn import as_text, corners, put, show, size, stand_in, value
from tests.widgets.gestures import step, swipe

X, Y = disc_in_ring(80)  # as the page makes it
P = np.c_[X, (X**2).sum(axis=1)]
BEST = max_margin(P, Y).theta
REACH = 1.08 * np.linalg.norm(X, axis=1).max()
SPACE = ".pla-rotatable"
GROUND = ".pla-tab-panel svg:has(.pla-boundary)"
LENGTHS = {"Height": (0, "h"), "Slope in x₁": (1, "a"), "Slope in x₂": (2, "c")}


@pytest.fixture
def lift(widget) -> Page:
    show(widget)
    return widget


def length_text(length: float) -> str:
    """A length of the ground as the widget writes it, to the hundredth."""
    return as_text(round(length, 2))


def drawn(page: Page, tag: str) -> np.ndarray:
    """Where the marks of one class, circles or rects, are in the picture of space."""
    found = page.locator(f"{SPACE} .pla-point:has({tag})").evaluate_all(
        "all => all.map(node => node.getAttribute('transform'))"
    )
    return np.array([corners(transform.split(")")[0])[0] for transform in found])


def seen(page: Page, points: np.ndarray, azimuth: float, elevation: float) -> np.ndarray:
    """The points turned by -azimuth around the x3 axis, then down by the elevation, and the depth dropped."""
    a, e = np.deg2rad([-azimuth, elevation])
    about_x3 = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    about_x2 = np.array([[np.cos(e), 0, np.sin(e)], [0, 1, 0], [-np.sin(e), 0, np.cos(e)]])
    box = points / [REACH, REACH, REACH**2] * [1, 1, 1.4]
    _, across, up = about_x2 @ about_x3 @ box.T
    middle = 0.7 * np.cos(e)
    width, height = size(page, SPACE)
    scale = min(0.33 * width, 0.345 * height)
    return np.c_[width / 2 + scale * across, 0.46 * height - scale * (up - middle)]


def open_pane(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()


def on_ground(page: Page, path: str) -> np.ndarray:
    """Corners of a path in the picture of the ground, as data."""
    width, height = size(page, GROUND)
    return (corners(path) - [width / 2, height / 2]) / [1, -1] * REACH * 2 / min(width, height) / 0.8


def expect_scene(page: Page) -> None:
    """Marks, crosses, shadow, tint, words and numbers are those of the model's values, as far as the story is told."""
    names = ("theta", "lift", "azimuth", "elevation", "step")
    theta, lifted, azimuth, elevation, at_step = (np.array(value(page, name)) for name in names)
    plane = Hyperplane.from_theta(theta)
    has_plane, has_shadow = at_step >= 2 and lifted > 0, at_step >= 3 and lifted > 0
    wrong = (Y * plane.score(P) <= 0) & has_plane
    # The same in all quadratic features, x1, x2, x1^2, x1 x2, x2^2.
    whole = Hyperplane(plane.w[[0, 1, 2, 2, 2]] * [1, 1, 1, 0, 1], plane.b)
    assert (wrong == ((Y * whole.score(quadratic(X)) <= 0) & has_plane)).all()
    places = seen(page, P * [1, 1, lifted], azimuth, elevation)
    for tag, label in (("circle", 1), ("rect", -1)):
        apart = np.linalg.norm(drawn(page, tag)[:, None] - places[label == Y], axis=2)
        assert apart.shape == (40, 40)
        assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < 0.08
    # In both pictures the same points are hollow and crossed.
    crossed = "all => all.map(one => Number(one.dataset.point)).sort((a, b) => a - b)"
    assert page.locator(f"{SPACE} .pla-point.pla-wrong").evaluate_all(crossed) == np.flatnonzero(wrong).tolist()
    # What belongs to the plane and to its shadow is there when its time has come, and fades as the points sink.
    for selector, share in ((".pla-cutting-plane", has_plane), (".pla-cut", has_plane), (".pla-shadow", has_shadow)):
        layer = page.locator(f"{SPACE} g:has(> {selector})")
        assert float(layer.get_attribute("opacity")) == pytest.approx(share * lifted)
    # So does the bowl: before the lift there is nothing but the ground.
    for name in (f"{SPACE} g:has(> .pla-paraboloid)", f"{SPACE} text:text-is('paraboloid')"):
        assert float(page.locator(name).get_attribute("opacity")) == pytest.approx(lifted)
    # Right points in front of the others let them be seen when the shadow falls; wrong ones are always clear.
    turn = np.deg2rad(azimuth)
    faded = page.locator(f"{SPACE} .pla-point").evaluate_all(
        "all => all.filter(one => +one.getAttribute('opacity') < 1).map(one => Number(one.dataset.point))"
    )
    assert bool(faded) <= bool(has_shadow)
    assert not wrong[faded].any()
    assert (X[faded] @ [np.cos(turn), np.sin(turn)] > -1e-9).all()
    words, numbers = page.locator(".pla-words"), page.locator(".pla-numbers strong").all_text_contents()
    chip = page.locator(".pla-chip")
    assert numbers[0] == (f"{wrong.sum()} of 80" if has_plane else "–")
    a, c, h = -plane.w[0] / plane.w[2], -plane.w[1] / plane.w[2], -plane.b / plane.w[2]
    squared = h + (a**2 + c**2) / 4
    if lifted == 0:
        expect(words).to_have_text("On the ground, no line separates the classes.")
    elif lifted < 1:
        expect(words).to_have_text("Each point rises to its height x₃ = x₁² + x₂².")
    elif at_step < 2:
        expect(words).to_have_text("Each point is now at height x₃ = x₁² + x₂²: points farther out are higher.")
    else:
        expect(chip).to_have_text(f"{wrong.sum()} wrong" if wrong.any() else "Separated")
    if lifted == 1 and at_step == 2:
        count = f"{wrong.sum()} point{'s' if wrong.sum() > 1 else ''}"
        expect(words).to_have_text(
            f"The plane leaves {count} on the wrong side."
            if wrong.any()
            else "The plane separates the classes: one above it, one below."
        )
    if not has_plane:
        assert numbers[1:] == ["–", "–", "–"]
        return
    cut = page.locator(f"{SPACE} .pla-cut").get_attribute("d")
    if squared < 0:
        assert not cut
        if has_shadow:
            expect(words).to_have_text("The plane does not meet the paraboloid: there is no cut and no shadow.")
        assert numbers[1:3] == ["–", "–"]
        return
    turn = np.linspace(0, 2 * np.pi, 73)
    circle = np.c_[a / 2 + squared**0.5 * np.cos(turn), c / 2 + squared**0.5 * np.sin(turn)]
    centre, radius = f"({length_text(a / 2)}, {length_text(c / 2)})", length_text(squared**0.5)
    assert numbers[1:3] == ([centre, radius] if has_shadow else ["–", "–"])
    if has_shadow and lifted == 1:
        result = "does not separate" if wrong.any() else "separates"
        circle_text = f"the circle around {centre} with radius {radius}"
        expect(words).to_have_text(f"The cut’s shadow, {circle_text}, {result} the classes.")
        expect(page.locator(".pla-why")).to_contain_text(
            "on the wrong side of the plane." if wrong.any() else "No point is on the wrong side"
        )
        expect(page.locator(".pla-why")).to_contain_text(f"{wrong.sum()} point" if wrong.any() else "No point")
    # In space the cut is on the plane and on the paraboloid, and its shadow below it, on the ground.
    inside = circle[np.linalg.norm(circle, axis=1) < 0.999 * REACH]
    flat = {"cut": np.c_[inside, (inside**2).sum(axis=1)], "shadow": np.c_[inside, 0 * inside[:, 0]]}
    for name, points in flat.items():
        if name == "shadow" and not has_shadow:
            continue
        line = corners(page.locator(f"{SPACE} .pla-{name}").get_attribute("d"))
        for place in seen(page, points, azimuth, elevation)[::7]:
            assert np.linalg.norm(line - place, axis=1).min() < 0.5, name


def expect_ground(page: Page) -> None:
    """The ground from above, in its open pane: the shadow, both sides of it, and the points that are wrong."""
    theta, lifted, at_step = (np.array(value(page, name)) for name in ("theta", "lift", "step"))
    plane = Hyperplane.from_theta(theta)
    wrong = (Y * plane.score(P) <= 0) & (at_step >= 2) & (lifted > 0)
    ground = page.locator(GROUND)
    crossed = ground.locator(".pla-point").evaluate_all("all => all.map(one => one.matches('.pla-wrong'))")
    assert crossed == wrong.tolist()
    boundary = ground.locator(".pla-boundary")
    assert float(boundary.get_attribute("opacity")) == pytest.approx((at_step >= 3) * lifted)
    circle = on_ground(page, boundary.get_attribute("d"))
    assert np.abs(plane.score(np.c_[circle, (circle**2).sum(axis=1)])).max() < 0.03 * abs(plane.w[2])
    width, height = size(page, GROUND)
    grid = np.stack(np.meshgrid(np.arange(5, width, 17), np.arange(5, height, 17)), axis=-1).reshape(-1, 2)
    spots = on_ground(page, grid)
    scores = plane.score(np.c_[spots, (spots**2).sum(axis=1)])
    for label, name in ((1, "positive"), (-1, "negative")):
        tinted = ground.locator(f".pla-{name}-side").evaluate(
            "(side, points) => points.map(([x, y]) => side.isPointInFill(new DOMPoint(x, y)))", grid.tolist()
        )
        sure = np.abs(scores) > 0.1 * abs(plane.w[2])
        assert np.array_equal(np.array(tinted)[sure], (label * scores > 0)[sure])


def test_four_steps_tell_the_story(lift):
    assert value(lift, "theta") == pytest.approx(BEST)
    assert [value(lift, name) for name in ("lift", "azimuth", "elevation", "step")] == [0, -60, 25, 0]
    expect(lift.locator(".pla-chip")).to_have_text("Start")
    expect_scene(lift)
    expect_ground(lift)
    for k, chip in ((1, "Lifted"), (2, "Separated"), (3, "Separated"), (3, "Separated")):
        lift.locator(".pla-next").click(force=True)  # at the end, too, where it does nothing
        assert (value(lift, "step"), value(lift, "lift")) == (k, 1)
        expect(lift.locator(".pla-chip")).to_have_text(chip)
        expect_scene(lift)
        expect_ground(lift)
    expect(lift.locator(".pla-why")).to_contain_text("Completing the square gives a circle around (a/2, c/2)")
    # The reader turns the picture between steps, and the transport leads back.
    put(lift, azimuth=20)
    for k in (2, 1, 0):
        step(lift, "Back")
        assert (value(lift, "step"), value(lift, "lift"), value(lift, "azimuth")) == (k, min(k, 1), 20)
        expect_scene(lift)
    for key, k in {"End": 3, "Home": 0, "ArrowRight": 1, "ArrowLeft": 0}.items():
        lift.locator(".pla-next").press(key)
        assert value(lift, "step") == k
        expect_scene(lift)


def test_points_rise_in_many_small_steps_where_motion_is_welcome(lift):
    lift.emulate_media(reduced_motion="no-preference")
    far = int(np.argmax(P[:, 2]))
    lift.evaluate(
        """far => {
        window.heights = [];
        const mark = document.querySelector(`.pla-rotatable [data-point="${far}"]`);
        new MutationObserver(() => heights.push(+mark.getAttribute('transform').match(/[-\\d.]+/g)[1]))
            .observe(mark, { attributes: true });
    }""",
        far,
    )
    step(lift)
    lift.wait_for_function("window.model.get('step') === 1")
    lift.wait_for_timeout(1800)
    heights = lift.evaluate("heights")
    assert len(set(heights)) > 5
    assert heights == sorted(heights, reverse=True)  # upwards in the picture
    expect_scene(lift)
    # Two presses in quick succession lose no step, and end at the exact numbers.
    lift.locator(".pla-next").evaluate("next => { next.click(); next.click(); }")
    lift.wait_for_timeout(1300)
    assert value(lift, "step") == 3
    expect_scene(lift)
    expect_ground(lift)
    step(lift, "Play")  # from the end it starts again
    expect(lift.locator(".pla-chip")).to_have_text("Start")
    expect(lift.locator(".pla-chip")).to_have_text("Lifted")
    step(lift, "Pause")


def test_every_slider_by_keyboard_and_mouse_and_undo(lift):
    a, c, h = (-BEST[k] / BEST[3] for k in (1, 2, 0))
    open_pane(lift, "View")
    for name, trait in {"Lift": "lift", "Turn": "azimuth", "Look down": "elevation"}.items():
        slider = lift.get_by_role("slider", name=name)
        slider.focus()
        before = value(lift, trait)
        lift.keyboard.press("ArrowRight")
        assert value(lift, trait) == pytest.approx(before + float(slider.get_attribute("step")))
        expect_scene(lift)
    step(lift)  # the lift had left the steps; Next leads to the first
    assert (value(lift, "step"), value(lift, "lift")) == (1, 1)
    open_pane(lift, "Plane")
    for name, start in (("Height", h), ("Slope in x₁", a), ("Slope in x₂", c)):
        k = LENGTHS[name][0]
        theta = np.array(value(lift, "theta"))
        slider = lift.get_by_role("slider", name=name)
        slider.focus()
        lift.keyboard.press("ArrowRight")
        theta[k] = -(round(start, 2) + 0.01) * theta[3]
        assert value(lift, "theta") == pytest.approx(theta)
        assert (value(lift, "step"), value(lift, "lift")) == (2, 1)  # a plane that is moved is seen
        expect_scene(lift)
        box = slider.bounding_box()
        lift.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
        moved = value(lift, "theta")
        assert moved[k] != pytest.approx(theta[k])
        expect_scene(lift)
        lift.keyboard.press("Control+z")
        assert value(lift, "theta") == pytest.approx(theta)
        lift.keyboard.press("Control+Shift+z")
        assert value(lift, "theta") == moved
    step(lift)  # the shadow is that of the plane which the reader has made
    assert value(lift, "theta") == moved
    expect_scene(lift)
    open_pane(lift, "Ground")
    expect_ground(lift)
    open_pane(lift, "Plane")
    lift.get_by_role("slider", name="Slope in x₂").dblclick()
    assert value(lift, "theta")[2] == pytest.approx(BEST[2])
    step(lift, "Reset plane")
    assert value(lift, "theta") == pytest.approx(BEST)
    expect_scene(lift)
    lift.get_by_role("slider", name="Height").press("Home")  # a plane below the paraboloid has no shadow
    expect_scene(lift)
    expect(lift.locator(".pla-words")).to_contain_text("no shadow")


def test_space_is_turned_by_dragging_and_by_arrow_keys(lift):
    step(lift)
    space, hint = lift.locator(SPACE), lift.get_by_text("drag to turn")
    expect(hint).to_be_visible()
    space.evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = space.bounding_box()
    lift.mouse.move(box["x"] + 150, box["y"] + 100)
    lift.mouse.down()
    lift.mouse.move(box["x"] + 110, box["y"] + 120, steps=4)
    assert (value(lift, "azimuth"), value(lift, "elevation")) == pytest.approx((-40, 35))
    expect(hint).not_to_be_visible()  # who has turned it, knows
    expect_scene(lift)
    lift.mouse.up()
    lift.mouse.move(box["x"] + 10, box["y"] + 10)
    assert value(lift, "azimuth") == pytest.approx(-40)
    expect(space).to_be_focused()
    turns = {"ArrowLeft": (-35, 35), "ArrowRight": (-40, 35), "ArrowDown": (-40, 40), "Shift+ArrowUp": (-40, 39)}
    for key, (azimuth, elevation) in turns.items():
        lift.keyboard.press(key)
        assert (value(lift, "azimuth"), value(lift, "elevation")) == pytest.approx((azimuth, elevation))
        expect_scene(lift)
    assert value(lift, "step") == 1  # the arrow keys turn here, they do not step
    for _ in range(12):
        lift.keyboard.press("ArrowDown")
    assert value(lift, "elevation") == 90  # straight from above, and no further


def test_a_point_tells_its_height_and_its_score(lift):
    i = 5
    said = f"Point {i}, class {as_text(Y[i], sign=True)}, at {as_text(*X[i])}"
    point = lift.locator(f"{GROUND} .pla-point").nth(i)
    point.focus()
    tip = lift.locator(".pla-tip:visible")
    expect(tip).to_have_text([f"{said}."])  # once, though the point lights up in both pictures
    expect(lift.locator(".pla-lit")).to_have_count(2)
    expect(lift.locator(".pla-tab-panel:not(.pla-main) .pla-tip")).to_be_visible()
    step(lift)
    expect(point).to_have_accessible_name(f"{said}, height {as_text(P[i, 2])}.")
    step(lift)
    score = Hyperplane.from_theta(BEST).score(P[[i]])[0]
    told = f"{said}, height {as_text(P[i, 2])}: score {as_text(score, sign=True)}, right."
    expect(point).to_have_accessible_name(told)
    # The pointer on a point of the space lights it up in both pictures.
    lift.mouse.move(0, 0)
    put(lift, elevation=60)
    far = int(np.argmax(P[:, 2]))
    box = lift.locator(SPACE).bounding_box()
    u, v = seen(lift, P[[far]], value(lift, "azimuth"), 60)[0]
    lift.mouse.move(box["x"] + u, box["y"] + v)
    point.evaluate("one => one.blur()")
    lift.mouse.move(box["x"] + u + 40, box["y"] + v + 60)
    lift.mouse.move(box["x"] + u, box["y"] + v)
    expect(tip).to_have_count(1)
    expect(lift.locator(".pla-main .pla-tip")).to_be_visible()
    expect(tip).to_contain_text(f"Point {far}, class")
    expect(lift.locator(".pla-lit")).to_have_count(2)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_whole_ground_is_in_the_picture_and_names_lie_on_no_point(lift, width):
    lift.set_viewport_size({"width": width, "height": 844})
    lift.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")  # it is drawn anew
    for _ in range(4):
        frame = np.array(size(lift, SPACE))
        drawn_ground = corners(lift.locator(f"{SPACE} .pla-ground").get_attribute("d"))
        assert ((drawn_ground >= 0) & (drawn_ground <= frame)).all()
        marks = np.concatenate([drawn(lift, tag) for tag in ("circle", "rect")])
        for name in lift.locator(f"{SPACE} text.pla-symbol").all():
            at = name.evaluate("text => [text.x.baseVal[0].value, text.y.baseVal[0].value - 5]")
            assert np.linalg.norm(marks - at, axis=1).min() > 10
        lift.locator(".pla-next").click(force=True)


def test_nearer_points_are_drawn_later(lift):
    put(lift, lift=1, azimuth=20, elevation=30)
    groups = [
        lift.locator(f"{SPACE} > g:has(.pla-point)")
        .nth(k)
        .evaluate("g => [...g.children].map(node => node.getAttribute('transform'))")
        for k in (0, 1)
    ]
    places = seen(lift, P, 20, 30)
    a, e = np.deg2rad([20, 30])
    depth = P / [REACH, REACH, REACH**2 / 1.4] @ [np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)]
    above = Hyperplane.from_theta(BEST).score(P) >= 0
    for group, mine in zip(groups, (~above, above), strict=True):
        assert len(group) == mine.sum()
        order = np.flatnonzero(mine)[np.argsort(depth[mine])]
        at = np.array([corners(transform.split(")")[0])[0] for transform in group])
        assert np.abs(at - places[order]).max() < 0.06


def test_values_set_from_python_are_drawn(lift):
    put(lift, theta=[-2.0, 0.6, -0.4, 1.5], lift=0.4, azimuth=100, elevation=60, step=3)
    expect_scene(lift)
    expect_ground(lift)
    open_pane(lift, "View")
    expect(lift.get_by_role("slider", name="Lift")).to_have_value("0.4")
    open_pane(lift, "Plane")
    expect(lift.get_by_role("slider", name="Slope in x₁")).to_have_value("-0.4")
    # The other way round: class -1 is to be outside.
    put(lift, theta=[2.0, -0.6, 0.4, -1.5], lift=1)
    expect_scene(lift)
    open_pane(lift, "Ground")
    expect_ground(lift)


def test_vertical_plane_has_a_line_for_a_shadow_and_none_has_nothing(lift):
    put(lift, theta=[0.5, 1.0, 2.0, 0.0], lift=1, step=3)
    expect(lift.locator(".pla-words")).to_have_text("The plane is vertical, so the shadow of its cut is a line.")
    wrong = (Y * Hyperplane.from_theta([0.5, 1, 2]).score(X) <= 0).sum()
    assert lift.locator(".pla-numbers strong").all_text_contents() == [f"{wrong} of 80", "–", "–", "vertical"]
    ends = on_ground(lift, lift.locator(".pla-boundary").get_attribute("d"))
    assert ends @ [1, 2] + 0.5 == pytest.approx([0, 0], abs=0.02)
    assert len(corners(lift.locator(".pla-cut").get_attribute("d"))) > 50
    put(lift, theta=[0.0, 0.0, 0.0, 0.0])
    expect(lift.locator(".pla-words")).to_have_text("There is no plane while w = 0.")
    assert lift.locator(".pla-cutting-plane").get_attribute("d") == ""
    open_pane(lift, "Plane")
    lift.get_by_role("slider", name="Height").press("ArrowRight")
    assert value(lift, "theta")[3] == 1
    expect_scene(lift)


def test_touch_turns_sideways_and_buttons_take_taps(phone, gallery):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(f"{gallery}/lectures/feature_lift.html")
    phone.locator(".pla").wait_for()
    show(phone)
    # The taps come first: one right after a swipe only stops the swipe.
    phone.locator(".pla-next").tap()
    phone.get_by_role("tab", name="Plane").tap()
    expect(phone.locator(SPACE)).to_be_visible()  # the sliders lie below what they move
    for name in ("Reset plane", "Next", "Back"):
        assert phone.get_by_role("button", name=name, exact=True).bounding_box()["height"] >= 43.9
    # The button lies in the pane, not on the picture.
    picture, button = (
        one.bounding_box() for one in (phone.locator(SPACE), phone.get_by_role("button", name="Reset plane"))
    )
    assert button["y"] >= picture["y"] + picture["height"]
    phone.get_by_role("button", name="Reset plane").tap()
    phone.get_by_role("tab", name="Space").tap()
    phone.locator(SPACE).evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = phone.locator(SPACE).bounding_box()
    swipe(phone, (box["x"] + 200, box["y"] + 100), (-80, 0), steps=8)
    assert value(phone, "azimuth") == pytest.approx(-20)
    expect_scene(phone)


def test_a_link_and_python(page, gallery):
    address = f"{gallery}/lectures/feature_lift.html"
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{address}#widget1=step:3;;lift:1;;theta:-2,0.5,-0.25,1.5;;azimuth:10;;elevation:40")
    expect(page.locator(".pla-words")).to_contain_text("circle around (−0.17, 0.08) with radius 1.17,")
    step(page, "More")
    step(page, "Copy as Python")
    names = {}
    exec(page.locator(".pla-python").inner_text(), names)
    made = names["widget"]
    assert (made.step, made.lift, made.azimuth, made.elevation) == (3, 1, 10, 40)
    assert made.theta == [-2, 0.5, -0.25, 1.5]
    assert np.allclose(made.X, X)
    assert made.sentence().endswith("with radius 1.17.")


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
    assert "the shadow of its cut on the ground is a line" in feature_lift(*semicircles()).sentence()
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
