// The hyperplane explorer: a line and a point in the plane, and the same two in weight space, where they change roles.

import { assemble, facts, follow, slider, spoken } from "./controls.js";
import { area, arrow, element, filled, path, shape, stage, titled } from "./dom.js";
import { axes, dot, halfPlane, handle, inside, plane } from "./plane.js";
import { number, signed, vector } from "./wording.js";

const SHORTEST = 0.2; // the least length of w, as a part of the greatest: at w = 0 there would be no line
const FARTHEST = 0.6; // how far the slider shifts the line from the origin, as a part of the picture's reach

// Score, distance and foot of x, as pla_lib.Hyperplane gives them. A score that is only rounding counts as zero.
function measured([b, ...w], x) {
  const exact = dot(w, x) + b,
    length = Math.hypot(...w);
  const score = Math.abs(exact) < 1e-13 * (Math.hypot(...x) * length + Math.abs(b)) ? 0 : exact;
  return {
    w,
    b,
    x,
    score,
    length,
    distance: score / length,
    foot: x.map((value, k) => value - (score / length ** 2) * w[k]),
  };
}

const sideOf = (score) => (score > 0 ? "positive" : "negative");
const centred = (reach, names) =>
  plane(
    [
      [-reach, -reach],
      [reach, reach],
    ],
    { names, width: 340, height: 270 },
  );
const along = (from, way, length) => [0, 1].map((i) => from[i] + length * way[i]);
const put = (text, words, [x, y], anchor = "middle") => {
  text.textContent = words;
  filled(text, { x, y, "text-anchor": anchor }, []);
};

// The nearest place inside the picture, in numbers of two decimals or so.
function kept(view, reach, point) {
  const unit = 10 ** (Math.floor(Math.log10(reach)) - 2),
    [u, v] = view.to(point);
  const within = view.from([Math.min(view.width - 14, Math.max(14, u)), Math.min(view.height - 14, Math.max(14, v))]);
  return within.map((value) => Number((Math.round(value / unit) * unit).toPrecision(12)));
}

// The direction along a line with this normal that leads away from `other`, or back where the picture ends.
function apart(view, normal, other, from) {
  const flat = [-normal[1], normal[0]],
    forth = dot(flat, [from[0] - other[0], from[1] - other[1]]) >= 0 ? 1 : -1;
  const way = flat.map((value) => forth * value),
    end = along(from, way, 70);
  return end[0] > 0 && end[0] < view.width ? way : way.map((value) => -value);
}

// The plane: the line with its tinted side and arrow, the point, its foot on the line, and the distance between them.
function space(reach, longest, act) {
  const view = centred(reach, ["x\u2081", "x\u2082"]);
  const tint = shape("path", { class: "pla-side" }),
    line = shape("path", { class: "pla-line pla-now" });
  const normal = shape("path", { class: "pla-line pla-arrow" }),
    name = shape("text", { class: "pla-w" });
  const drop = shape("path", { class: "pla-line pla-drop" }),
    corner = shape("path", { class: "pla-thin pla-corner" });
  const foot = shape("circle", { r: 4, class: "pla-foot" }),
    label = shape("text", { class: "pla-label pla-distance" });
  const disc = shape("circle", { r: 7, class: "pla-positive" }),
    square = shape("rect", { x: -6.5, y: -6.5, width: 13, height: 13, class: "pla-negative" });
  let now;
  const anchor = () => now.w.map((value) => (-now.b / now.length ** 2) * value);
  const grip = handle(
    view,
    shape("g", {}, shape("circle", { r: 16, class: "pla-hit" }), shape("circle", { r: 5.5, class: "pla-here" })),
    { name: "The line: shift it", at: anchor, move: act.shift },
  );
  const point = handle(
    view,
    shape(
      "g",
      {},
      shape("circle", { r: 18, class: "pla-hit" }),
      shape("circle", { r: 12, class: "pla-ring" }),
      disc,
      square,
    ),
    { name: "The point", at: () => now.x, move: (at) => act.point(kept(view, reach, at)) },
  );
  const node = stage(view, "", tint, axes(view), line, normal, name, drop, corner, foot, label, grip, point);
  function draw(measures, theta) {
    now = measures;
    const here = halfPlane(view, theta),
      side = sideOf(now.score),
      at = view.to(now.x),
      to = view.to(now.foot),
      from = view.to(anchor());
    const seen = inside(view, from),
      long = 54 * Math.min(1, now.length / longest),
      gap = Math.hypot(at[0] - to[0], at[1] - to[1]);
    tint.setAttribute("d", area(here.side));
    line.setAttribute("d", path(here.line));
    normal.setAttribute("d", seen ? arrow(from, along(from, here.normal, long)) : "");
    put(name, seen ? "w" : "", along(along(from, here.normal, long + 13), [0, 1], 5));
    filled(grip, { transform: `translate(${from})`, visibility: seen ? "visible" : "hidden" }, []);
    filled(drop, { d: path([at, to]), class: `pla-line pla-drop pla-${side}-mark` }, []);
    filled(foot, { cx: to[0], cy: to[1] }, []);
    filled(point, { transform: `translate(${at})`, "aria-label": `The point, at ${vector(now.x)}` }, []);
    disc.setAttribute("visibility", side === "positive" ? "inherit" : "hidden");
    square.setAttribute("visibility", side === "positive" ? "hidden" : "inherit");
    // The right angle at the foot, and the distance beside the segment, on the side away from the arrow w.
    const up = here.normal.map((value) => Math.sign(now.score) * value),
      away = apart(view, here.normal, from, to);
    corner.setAttribute(
      "d",
      gap < 24 ? "" : path([along(to, up, 10), along(along(to, up, 10), away, 10), along(to, away, 10)]),
    );
    const middle = [0, 1].map((i) => (at[i] + to[i]) / 2),
      beside = along(middle, away, 16);
    put(
      label,
      gap < 24 ? "" : number(Math.abs(now.distance)),
      [beside[0], beside[1] + 5],
      away[0] > 0.4 ? "start" : away[0] < -0.4 ? "end" : "middle",
    );
    node.setAttribute(
      "aria-label",
      `The plane: the line w'x + b = 0 with w = ${vector(now.w)}, b = ${number(now.b)}, and the point ${vector(now.x)}.`,
    );
    return (
      (here.line.length ? "" : " The line runs outside the picture.") +
      (inside(view, at) ? "" : " The point lies outside the picture.")
    );
  }
  return { node: titled("The plane.", " A line, and a point to drag.", node), draw };
}

// Weight space at this b: the line is the point w, and the point is the line of all w with w'x + b = 0.
function weightSpace(longest, act) {
  const view = centred(longest, ["w\u2081", "w\u2082"]);
  const tint = shape("path", { class: "pla-side" }),
    line = shape("path", { class: "pla-line pla-dual" });
  const way = shape("path", { class: "pla-line pla-weight" }),
    plus = shape("text", { class: "pla-label" }),
    minus = shape("text", { class: "pla-label" });
  const origin = view.to([0, 0]),
    none = shape("circle", { cx: origin[0], cy: origin[1], r: 4, class: "pla-foot" });
  let now;
  const weight = handle(
    view,
    shape("g", {}, shape("circle", { r: 18, class: "pla-hit" }), shape("circle", { r: 7, class: "pla-here" })),
    { name: "The weights", at: () => now.w, move: (at) => act.weights(kept(view, longest, at)) },
  );
  const node = stage(view, "", tint, axes(view), line, plus, minus, way, none, weight);
  function draw(measures) {
    now = measures;
    const here = halfPlane(view, [now.b, ...now.x]),
      at = view.to(now.w);
    tint.setAttribute("d", area(here ? here.side : now.b > 0 ? view.corners.map(view.to) : []));
    filled(line, { d: here ? path(here.line) : "", class: `pla-line pla-dual pla-${sideOf(now.score)}-mark` }, []);
    const aside = here?.foot && along(here.foot, apart(view, here.normal, at, here.foot), 50);
    for (const [text, words, length] of [
      [plus, "x scores +", 1],
      [minus, "x scores \u2212", -1],
    ]) {
      // A label is wider than high: it keeps farther from a steep line than from a flat one.
      const place = aside && along(aside, here.normal, length * (20 + 30 * Math.abs(here.normal[0])));
      const room = place && place[0] > 40 && place[0] < view.width - 40 && place[1] > 24 && place[1] < view.height - 30;
      put(text, room ? words : "", room ? along(place, [0, 1], 4) : [0, 0]);
    }
    const tip = Math.hypot(at[0] - origin[0], at[1] - origin[1]);
    way.setAttribute(
      "d",
      arrow(origin, along(origin, [(at[0] - origin[0]) / tip, (at[1] - origin[1]) / tip], tip - 9)),
    );
    filled(weight, { transform: `translate(${at})`, "aria-label": `The weights w, at ${vector(now.w)}` }, []);
    node.setAttribute(
      "aria-label",
      `Weight space at b = ${number(now.b)}: w is at ${vector(now.w)}. ` +
        (here
          ? `The point's line is where w'x + b = 0; x scores + on the tinted side.`
          : `The point is the origin: it scores b = ${number(now.b)} for every w.`),
    );
    return inside(view, at) ? "" : " w lies outside its picture.";
  }
  return { node: titled("Weight space.", " The roles are swapped.", node), draw };
}

function render({ model, el }) {
  const [reach, longest] = model.get("reach"),
    words = spoken();
  let note = "Drag the point, or turn and shift the line.";
  const set = (name, value, said) => {
    note = said;
    model.set(name, value);
    model.save_changes();
  };
  const here = () => measured(model.get("theta"), model.get("point"));
  const act = {
    point: (x) => set("point", x, ""),
    shift: (x) => {
      const { w } = here();
      set("theta", [-dot(w, x), ...w], "w stayed, b changed: the line moved parallel to itself.");
    },
    weights(w) {
      const short = Math.hypot(...w) < SHORTEST * longest,
        way = w.some(Boolean) ? w : here().w;
      const fit = Math.max(SHORTEST * longest, Math.min(longest, Math.hypot(...w))) / Math.hypot(...way);
      set(
        "theta",
        [here().b, ...way.map((value) => value * fit)],
        `b stayed.${short ? " w = 0 is left out: it has no line." : ""}`,
      );
    },
    turn(degrees) {
      const { b, length } = here(),
        angle = (degrees * Math.PI) / 180;
      // Rounded, so that the sine of 180 degrees is zero.
      set(
        "theta",
        [b, ...[Math.cos(angle), Math.sin(angle)].map((part) => length * (Math.round(part * 1e12) / 1e12))],
        `b and \u2016w\u2016 stayed: the line is still ${number(Math.abs(b) / length)} from the origin.`,
      );
    },
    offset: (part) => {
      const { w, length } = here();
      set("theta", [(part / 100) * reach * length, ...w], "w stayed, b changed: the line moved parallel to itself.");
    },
    scale: (part) => {
      const { w, b, length } = here(),
        by = ((part / 100) * longest) / length;
      set(
        "theta",
        [b, ...w].map((value) => value * by),
        "w and b were scaled together: the line stayed, the score did not.",
      );
    },
  };
  const plain = space(reach, longest, act),
    dual = weightSpace(longest, act);
  const numbers = facts(
    "b",
    "w = (w\u2081, w\u2082)",
    "\u2016w\u2016",
    "score w\u2032x + b",
    "signed distance",
    "foot",
  );
  const dial = (name, limits, move) => {
    const knob = slider(name, limits, move),
      value = element("output");
    const show = (at, text) => {
      knob.value = at;
      knob.setAttribute("aria-valuetext", text);
      value.textContent = text;
    };
    return { node: element("label", { class: "pla-dial" }, name, knob, value), show };
  };
  // Shift and length are sliders in hundredths of how far their pictures reach.
  const turn = dial("Turn", { min: -180, max: 180 }, act.turn);
  const shift = dial("Shift", { min: -100 * FARTHEST, max: 100 * FARTHEST }, act.offset);
  const length = dial("Length of w", { min: 100 * SHORTEST, max: 100 }, act.scale);

  function draw() {
    const theta = model.get("theta"),
      now = here(),
      side = sideOf(now.score);
    const outside = plain.draw(now, theta) + dual.draw(now);
    const degrees = Math.round((Math.atan2(now.w[1], now.w[0]) * 180) / Math.PI);
    turn.show(degrees, `${number(degrees)}\u00b0`);
    shift.show((100 * now.b) / now.length / reach, `b = ${number(now.b)}`);
    length.show((100 * now.length) / longest, number(now.length));
    numbers.show(
      number(now.b),
      vector(now.w),
      number(now.length),
      signed(now.score),
      signed(now.distance),
      vector(now.foot),
    );
    const dually = now.x.some(Boolean)
      ? `w is on ${now.score === 0 ? "" : `the ${side} side of `}the point's line`
      : "has this score for every w";
    const place =
      now.score === 0
        ? `It is on the line, and ${dually}.`
        : `It is on the ${side} side, at distance ${number(Math.abs(now.score))}\u00a0/\u00a0${number(now.length)} = ${number(Math.abs(now.distance))}, and ${dually}.`;
    words.textContent = `${note}${note && " "}The point ${vector(now.x)} scores ${signed(now.score)}. ${place}${outside}`;
    note = "";
  }

  const root = assemble(el, "Hyperplane explorer", {
    pictures: [plain.node, dual.node],
    panel: [words, numbers.node],
    controls: [element("div", { class: "pla-controls pla-dials" }, turn.node, shift.node, length.node)],
  });
  root.classList.add("pla-hyperplane-explorer");
  return follow(model, ["theta", "point"], draw);
}

export default { render };
