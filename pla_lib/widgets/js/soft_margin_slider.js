// The soft margin slider: what a larger C does to line, margin and slack. The model's `index` is the place along the
// path of Cs. Python computed theta and the support vectors for each C; slacks and margin follow from theta.

import { count } from "./address.js";
import { facts, follow } from "./controls.js";
import { path, pathShape, picture, pictureWithHandles, rings, setAttributes, shape } from "./dom.js";
import { mix, motion, phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import {
  axes,
  axisStrips,
  besideLine,
  dot,
  freePlace,
  halfPlane,
  lineBetween,
  meetsBox,
  plane,
  pointerInPicture,
  separator,
  ticks,
} from "./plane.js";
import { pointLayer, spotlight } from "./points.js";
import { SWING } from "./run_picture.js";
import { shell } from "./shell.js";
import { transport } from "./transport.js";
import { counted, number, signed, vector } from "./wording.js";

const SWEEP = 300; // milliseconds from one C to the next when all are played
const RING = 8.5; // radius of a support vector's ring

// The solution for C and theta: slack_i = max(0, 1 - y_i * (w'x_i + b)), the two parts 1/2 ||w||^2 and C/N * total
// slack of the objective, and which points lie inside the margin or on the wrong side. Slack up to `least` counts as
// none.
function solution({ X, y, least }, C, theta, support) {
  const [b, ...w] = theta;
  const slack = X.map((x, i) => Math.max(0, 1 - y[i] * (dot(w, x) + b)));
  const indicesWhere = (test) => slack.flatMap((value, i) => (test(value) ? [i] : []));
  const totalSlack = slack.reduce((sum, value) => sum + value, 0);
  const norm2 = dot(w, w);
  return {
    C,
    theta,
    b,
    w,
    norm2,
    margin: 1 / Math.sqrt(norm2),
    slack,
    totalSlack,
    slackCost: (C / X.length) * totalSlack,
    support,
    insideMargin: indicesWhere((value) => value > least && value <= 1 + least),
    wrong: indicesWhere((value) => value > 1 + least),
  };
}

// What is to be said of a solution: the verdict, and why. It counts what the picture marks: the rings of the support
// vectors, the lines of the slacks, and the crosses. `first` is the solution for the smallest C, given at the end of
// the path, where the verdict is about all of it; `isOpening` where the reader has not moved C yet and is told what to
// try.
function describeSolution(
  { C, b, norm2, margin, slackCost, totalSlack, insideMargin, wrong, support },
  size,
  { first = null, isOpening = false },
) {
  const kind = "note";
  const objective = `\u00bd\u2016w\u2016\u00b2 + C/${size} \u00b7 total slack`;
  const chip = `C\u00a0=\u00a0${number(C)}`;
  const ringed = `${counted(support.length, "support vector")} (ringed)`;
  if (norm2 === 0) {
    const text = `w = 0: there is no line, the margin is infinite, and every point scores\u00a0${signed(b)}.`;
    const rings = support.length ? ` There ${support.length === 1 ? "is" : "are"} ${ringed}.` : "";
    return { kind, chip, text, why: `${objective} is smallest at w = 0.${rings}` };
  }
  const needing = insideMargin.length + wrong.length;
  const onMargin = support.length - needing;
  const text = needing
    ? `${ringed}: ${onMargin} on the margin and ${needing} with slack (${wrong.length} wrong).`
    : `No point needs slack: this is the hard margin, held by ${ringed}.`;
  const next = needing
    ? "With a larger C, slack is more expensive, so the margin shrinks or stays the same."
    : "A still larger C changes nothing.";
  const why =
    `This line makes ${objective} as small as possible: ${number(norm2 / 2)} + ${number(slackCost)} = ` +
    `${number(norm2 / 2 + slackCost)}. ${next}`;
  const invitation = "Slide C: a small C gives a wide margin, a large C little slack.";
  if (isOpening) return { kind: "start", chip, text: invitation, why: `${text} ${why}` };
  if (!first || number(first.margin) === number(margin)) return { kind, chip, text, why };
  const whole =
    `As C grew to ${number(C)}, the margin fell from ${number(first.margin)} to ${number(margin)} ` +
    `and the total slack from ${number(first.totalSlack)} to ${number(totalSlack)}.`;
  return { kind: "done", text: whole, why: `${text} ${why}` };
}

// What a point says of itself.
function describeSlack({ X, y, least }, { theta, slack }, i) {
  const value = slack[i];
  const score = theta[0] + dot(theta.slice(1), X[i]);
  const isOnMargin = Math.abs(y[i] * score - 1) <= least;
  const place =
    value > 1 + least
      ? "on the wrong side"
      : value >= 1 - least
        ? "on the line"
        : value > least
          ? "inside the margin"
          : isOnMargin
            ? "on the margin"
            : "outside the margin";
  const slackText = value > least ? number(value) : "0";
  const point = `Point\u00a0${i}, class\u00a0${signed(y[i])}, at\u00a0${vector(X[i])}`;
  return `${point}: score\u00a0${signed(score)}, slack\u00a0${slackText}, ${place}.`;
}

// The powers of ten from low to high; if there are fewer than two of them, low and high themselves.
function decades(low, high) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const length = Math.floor(Math.log10(high) + 1e-9) - first + 1;
  return length < 2 ? [low, high] : Array.from({ length }, (_, k) => 10 ** (first + k));
}

// The place of a value on a logarithmic axis: 0 at low, 1 at high.
const logScale = (low, high) => (value) => Math.log(value / low) / Math.log(high / low);

// Two charts against C, the margin above and the total slack below. Pressing or dragging goes to the nearest C.
function pathChart(solutions, goTo) {
  const Cs = solutions.map(({ C }) => C);
  const margins = solutions.map(({ margin }) => margin).filter(Number.isFinite);
  const [low, high] = margins.length ? [0.8 * Math.min(...margins), 1.25 * Math.max(...margins)] : [1, 10];
  const marginMarks = margins.length ? decades(low, high) : [];
  const mostSlack = 1.1 * (Math.max(...solutions.map(({ totalSlack }) => totalSlack)) || 1);
  const text = (x, y, content, more = {}) => shape("text", { x, y, ...more }, content);
  // With many marks, every other one has its number.
  const hasNumber = (k, marks) => marks.length <= 4 || k % 2 === 0;

  return fittedPicture(({ width, height }) => {
    const [left, right, top, bottom] = [46, width - 16, 30, height - 46];
    const depth = (bottom - top - 34) / 2;
    const scaleC = logScale(Cs[0], Cs.at(-1));
    const across = (C) => left + (right - left) * scaleC(C);
    const currentC = pathShape("pla-thin pla-current-c");
    const axis = shape("g", { class: "pla-axes" });
    decades(Cs[0], Cs.at(-1)).forEach((C, k, all) => {
      axis.append(shape("line", { x1: across(C), x2: across(C), y1: top, y2: bottom }));
      const anchor = C < Cs.at(-1) ? "middle" : "end";
      if (hasNumber(k, all)) axis.append(text(across(C), bottom + 17, number(C), { "text-anchor": anchor }));
    });
    const ends = [
      text(left, height - 10, "\u2190 slack is cheap"),
      text((left + right) / 2, height - 10, "C", { class: "pla-axis-name", "text-anchor": "middle" }),
      text(right, height - 10, "expensive \u2192", { "text-anchor": "end" }),
    ];
    const names = shape("g", { class: "pla-axes pla-c-ends" }, ...ends);
    const node = picture({ width, height }, "", axis, names, currentC);

    // Draws one curve, with its own axis that begins at height `start`; `scale` takes values to 0..1. Returns the
    // function that moves the curve's dot to a place [C, value].
    function addCurve(name, start, quantity, scale, marks) {
      const down = (value) => start + depth * (1 - scale(value));
      const position = shape("circle", { r: 6, class: "pla-position" });
      marks.forEach((value, k) => {
        const v = down(value);
        axis.append(shape("line", { x1: left, x2: right, y1: v, y2: v }));
        if (hasNumber(k, marks)) axis.append(text(left - 7, v + 4, number(value), { "text-anchor": "end" }));
      });
      const finite = solutions.filter((one) => Number.isFinite(quantity(one)));
      const points = finite.map((one) => [across(one.C), down(quantity(one))]);
      const label = text(left, start - 9, name + (finite.length ? "" : ": infinite"), { class: "pla-label" });
      node.append(pathShape("pla-line pla-curve", path(points)), label, position);
      return (C, value) => {
        const hasPoint = Number.isFinite(value);
        position.setAttribute("visibility", hasPoint ? "visible" : "hidden");
        if (hasPoint) setAttributes(position, { cx: across(C), cy: down(value) });
      };
    }
    const moveMargin = addCurve(
      "margin 1/\u2016w\u2016",
      top,
      ({ margin }) => margin,
      logScale(low, high),
      marginMarks,
    );
    const moveSlack = addCurve(
      "total slack \u03a3\u03be",
      bottom - depth,
      ({ totalSlack }) => totalSlack,
      (value) => value / mostSlack,
      ticks(0, mostSlack),
    );

    function goToPointer(event) {
      if (event.type === "pointermove" && !event.buttons) return;
      const [u] = pointerInPicture(node, event);
      const distances = Cs.map((C) => Math.abs(across(C) - u));
      goTo(distances.indexOf(Math.min(...distances)));
    }
    for (const kind of ["pointerdown", "pointermove"]) node.addEventListener(kind, goToPointer);
    node.classList.add("pla-chart");

    function draw({ C, margin, totalSlack }) {
      const u = across(C);
      currentC.setAttribute("d", path([top, bottom].map((v) => [u, v])));
      moveMargin(C, margin);
      moveSlack(C, totalSlack);
      const values = `the margin is ${number(margin)} and the slack ${number(totalSlack)}`;
      node.setAttribute("aria-label", `Margin and total slack against C. Here, at C = ${number(C)}, ${values}.`);
    }
    return { node, draw };
  });
}

// The points with line, margins and slacks, and rings round the support vectors.
function dataPicture(record, lights) {
  const { X, y } = record;
  return fittedPicture((size) => {
    const view = plane(X, size);
    let shown = null;
    const layer = pointLayer(view, record, lights, {
      describe: (i) => (shown ? describeSlack(record, shown, i) : null),
    });
    const places = layer.places();
    const line = separator(view, layer.places);
    const lineOf = (theta) => halfPlane(view, theta)?.line ?? [];
    const slackLines = [1, -1].map((label) =>
      pathShape(`pla-thin pla-slack pla-${label > 0 ? "positive" : "negative"}-line`),
    );
    const margins = pathShape("pla-line pla-dashed pla-margin");
    const label = (text) => shape("text", { class: "pla-label", "text-anchor": "middle" }, text);
    const [plusName, minusName, slackName] = ["score +1", "score \u22121", "slack"].map(label);
    const outsideNote = label("");
    const supportVectors = pathShape("pla-ring pla-support-vectors");
    const leaving = pathShape("pla-ring pla-support-vectors-before");
    const lines = [...slackLines, margins, leaving, supportVectors];
    const over = [line.over, layer.node, plusName, minusName, slackName, outsideNote];
    const node = pictureWithHandles(view, "", line.tint, axes(view), ...lines, ...over);
    layer.follow(node);
    // Puts a name where it covers no point, no line and no number of the axes; without such a place it is hidden.
    function putName(name, around, lines) {
      const half = [3.3 * name.textContent.length, 8];
      const all = [...lines, ...axisStrips(view)];
      const covers = ([u, v], [p, q]) => Math.abs(p - u) < half[0] + 4 && Math.abs(q - v) < half[1] + 4;
      const isFree = (place) =>
        Math.abs(place[0] - view.width / 2) < view.width / 2 - half[0] - 4 &&
        Math.abs(place[1] - view.height / 2) < view.height / 2 - 14 &&
        !all.some((one) => meetsBox(one, place, half)) &&
        !places.some((point) => covers(place, point));
      const free = around.filter(isFree);
      const at = free.length ? freePlace(view, free, places, 40) : null;
      name.setAttribute("visibility", at ? "visible" : "hidden");
      if (at) setAttributes(name, { x: at[0], y: at[1] + 4 });
    }

    // Says which of the lines with score -1 and +1 are outside the picture, where few points and lines are covered.
    function noteOutside(levels, lines) {
      const those =
        levels.length > 1 ? "lines with score\u00a0\u00b11 are" : `line with score\u00a0${signed(levels[0])} is`;
      outsideNote.textContent = levels.length ? `The ${those} outside the picture.` : "";
      if (!levels.length) return;
      const half = [3.3 * outsideNote.textContent.length, 8];
      const { width, height } = size;
      const around = [20, height - 32].flatMap((v) => [0.5, 0.3, 0.7].map((share) => [share * width, v]));
      const [u, v] = freePlace(view, around, places, 12 + half[0], { lines, half });
      setAttributes(outsideNote, { x: u, y: v + 4 });
    }

    // `one` is the solution to draw. On the way to it from `before`, at t, the rings of new support vectors close in,
    // and those of old ones fade.
    function draw({ one, before, t, text }) {
      shown = one;
      const { theta, b, w, norm2, slack, insideMargin, wrong, support } = one;
      const sides = [lineOf([b - 1, ...w]), lineOf([b + 1, ...w])];
      margins.setAttribute("d", sides.map(path).join(""));
      // The slack of a point is drawn along w, as far as the margin of its class, where y * (w'x + b) = 1.
      function slackEnds(i) {
        const onMargin = X[i].map((value, k) => value + ((y[i] * slack[i]) / norm2) * w[k]);
        return [places[i], view.to(onMargin)];
      }
      const needSlack = norm2 > 0 ? [...insideMargin, ...wrong] : [];
      [1, -1].forEach((sign, k) => {
        const ofClass = needSlack.filter((i) => y[i] === sign);
        slackLines[k].setAttribute("d", ofClass.map((i) => path(slackEnds(i))).join(""));
      });
      const ringsOf = (points, radius) =>
        rings(
          points.map((i) => places[i]),
          radius,
        );
      const [stay, come] = [true, false].map((was) => support.filter((i) => before.support.includes(i) === was));
      const gone = t < 1 ? before.support.filter((i) => !support.includes(i)) : [];
      supportVectors.setAttribute("d", ringsOf(stay, RING) + ringsOf(come, RING + 8 * (1 - t)));
      setAttributes(leaving, { d: ringsOf(gone, RING), opacity: 1 - t });
      // Both dashed lines have their names, on their outer sides.
      const outer = (ends, sign) => {
        const isRight = ends.length && sign * ((ends[0][1] - ends[1][1]) * w[0] - (ends[1][0] - ends[0][0]) * w[1]) > 0;
        return besideLine(ends, 27, [0.15, 0.85, 0.3, 0.7], [isRight ? 1 : -1]);
      };
      const ends = needSlack.toSorted((i, j) => slack[j] - slack[i]).map(slackEnds);
      const drawn = [...ends, ...sides, lineOf(theta)].filter((one) => one.length);
      putName(plusName, outer(sides[0], 1), drawn);
      putName(minusName, outer(sides[1], -1), drawn);
      const levels = norm2 > 0 ? [1, -1].filter((_, k) => !sides[k].length) : [];
      noteOutside(levels, drawn);
      // One of the longest slacks has its name, beside its line.
      const besideSlacks = ends.slice(0, 3).flatMap((one) => besideLine(one, 16, [0.5, 0.35, 0.65, 0.2, 0.8]));
      putName(slackName, besideSlacks, drawn);
      layer.draw({ theta, wrong: norm2 > 0 ? wrong : [] });
      const lineText = line.draw(theta);
      node.setAttribute("aria-label", `${text}${norm2 > 0 ? lineText : ""} ${outsideNote.textContent}`.trim());
    }
    return { node, extras: layer.extras, draw, stop: layer.stop };
  });
}

// The solution at a place between two Cs: angle, offset and margin of the line go from one to the other, and the slacks
// follow. At a whole number it is the solution that Python found.
function solutionAt(record, solutions, place) {
  const k = Math.floor(place);
  const share = place - k;
  const [here, next] = [solutions[k], solutions[k + 1]];
  if (!share) return here;
  const nearest = share < 0.5 ? here : next;
  const middle = [0, 1].map((j) => record.X.reduce((sum, x) => sum + x[j] / record.X.length, 0));
  const hasWay = here.norm2 > 0 && next.norm2 > 0;
  const length = 1 / mix(here.margin, next.margin, share);
  const theta = hasWay
    ? lineBetween({ middle }, here.theta, next.theta)(share).map((value) => value * length)
    : nearest.theta;
  const C = Math.exp(mix(Math.log(here.C), Math.log(next.C), share));
  return solution(record, C, theta, nearest.support);
}

// The Python that shows the same.
function pythonCode({ X, y, Cs }, index) {
  const isUsual = Cs.length === 61 && Cs.every((C, k) => C === Number((10 ** (k / 10 - 2)).toPrecision(3)));
  return [
    "from pla_lib import soft_margin_slider",
    "",
    `X = ${JSON.stringify(X)}`,
    `y = ${JSON.stringify(y)}`,
    `widget = soft_margin_slider(X, y${isUsual ? "" : `, ${JSON.stringify(Cs)}`})`,
    `widget.index = ${index}  # C = ${Cs[index]}`,
    "widget",
    "",
  ].join("\n");
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, Cs, thetas, supports } = record;
  const solutions = Cs.map((C, k) => solution(record, C, thetas[k], supports[k]));
  const lights = spotlight();
  const key = ({ support, wrong }) => `${support.length} ${wrong.length}`;
  const changes = Cs.flatMap((_, k) => (k && key(solutions[k]) !== key(solutions[k - 1]) ? [k] : []));
  const steps = transport(model, Cs.length - 1, {
    name: "C",
    value: "index",
    reading: (index) => `C\u00a0=\u00a0${number(Cs[index])}`,
    marks: () => changes,
    stay: () => SWEEP,
    jump: {
      text: "Next change in the support vectors or wrong points",
      icon: "change",
      to: (index) => changes.find((k) => k > index) ?? Cs.length - 1,
    },
  });
  const data = dataPicture(record, lights);
  const curves = pathChart(solutions, steps.scrubTo);
  const objective = `\u00bd\u2016w\u2016\u00b2 + C/${X.length} \u00b7 total slack`;
  const numbers = facts(
    "C",
    "margin",
    "total slack",
    "inside the margin",
    "on the wrong side",
    "support vectors",
    objective,
  );
  const stage = motion();
  const ui = shell(
    { model, el },
    {
      name: "Soft margin slider",
      main: { name: "Data", picture: data },
      panes: { Curves: curves.node, Numbers: numbers.node },
      steps,
      state: { index: count },
      python: () => pythonCode(record, steps.now()),
      lights,
    },
  );
  ui.root.classList.add("pla-soft-margin-slider");

  let shownIndex = null;
  let isOpening = steps.now() === Math.floor(Cs.length / 2); // where it begins, unless a link leads elsewhere
  function draw() {
    const index = steps.now();
    const isLast = index === Cs.length - 1;
    isOpening &&= index === (shownIndex ?? index);
    const first = isLast ? solutions[0] : null;
    const verdict = describeSolution(solutions[index], X.length, { first, isOpening });
    const from = shownIndex ?? index;
    shownIndex = index;
    const isSweeping = steps.isPlaying();
    const opening = `The ${counted(X.length, "point")}, the line and its margins.`;
    const text = `${opening} C = ${number(Cs[index])}: ${isOpening ? verdict.why : verdict.text}`;
    stage.play(from === index ? 0 : steps.duration(isSweeping ? SWEEP : SWING), (t) => {
      const now = solutionAt(record, solutions, mix(from, index, isSweeping ? t : phase(t)));
      data.draw({ one: now, before: solutions[from], t, text });
      curves.draw(now);
      const [half, cost] = [now.norm2 / 2, now.slackCost];
      numbers.show(
        number(now.C),
        number(now.margin),
        number(now.totalSlack),
        now.insideMargin.length,
        now.wrong.length,
        now.support.length,
        `${number(half)} + ${number(cost)} = ${number(half + cost)}`,
      );
    });
    ui.show(verdict);
    steps.show();
  }

  const unfollow = follow(model, ["index"], draw);
  return () => {
    unfollow();
    stage.finish();
    curves.stop();
    ui.stop();
  };
}

export default { render };
