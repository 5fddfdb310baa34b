// The stepper: `step` visits have been made; everything drawn and said follows from the run's record.

// The weights before the first and after every mistake, summed as pla_lib sums them.
function weights({ X, y, theta0, eta, visits, times }) {
  const thetas = [theta0];
  for (const time of times) {
    const i = visits[time], x = theta0.length > X[i].length ? [1, ...X[i]] : X[i];
    thetas.push(thetas.at(-1).map((value, j) => value + eta * y[i] * x[j]));
  }
  return thetas;
}

function story(record, thetas, step) {
  const { X, y, visits, times, epochs, converged } = record;
  const mistakes = times.filter((time) => time < step).length;
  const theta = thetas[mistakes];
  if (step === 0)
    return { mistakes, theta, before: null, example: null, wrong: false, words: `Start: \u03b8 = ${vector(theta)}.` + noLine(theta) };
  const example = visits[step - 1], wrong = times[mistakes - 1] === step - 1;
  const before = wrong ? thetas[mistakes - 1] : theta;
  const x = theta.length > X[example].length ? [1, ...X[example]] : X[example];
  const score = before.reduce((sum, value, j) => sum + value * x[j], 0);
  const tried = `Visit ${step}: point\u00a0${example}, class\u00a0${signed(y[example])}, scored\u00a0${signed(score)}. `;
  const verdict = wrong
    ? `${score === 0 ? "A tie counts as a mistake" : "A mistake"}: update ${mistakes} ${y[example] > 0 ? "adds" : "subtracts"} it, and \u03b8 becomes ${vector(theta)}.` + noLine(theta)
    : "Right: nothing changes.";
  const end = step < visits.length ? "" : converged
    ? ` The run is over: all ${y.length} points are right.`
    : ` The run stops after ${epochs} epochs; some points are still wrong.`;
  return { mistakes, theta, before, example, wrong, words: tried + verdict + end };
}

const noLine = (theta) => (theta.slice(-2).every((value) => value === 0) ? " No line yet." : "");

function render({ model, el }) {
  const record = model.get("record"), { X, y, visits, epochs } = record;
  const thetas = weights(record), last = visits.length, perEpoch = last / epochs;
  const view = plane(X);

  const tint = shape("path", { class: "pla-side" });
  const old = shape("path", { class: "pla-line pla-old" });
  const line = shape("path", { class: "pla-line" });
  const arrow = shape("path", { class: "pla-line pla-arrow" });
  const name = shape("text", { class: "pla-w" }, "w");
  const ring = shape("circle", { r: 11, class: "pla-ring" });
  const cross = shape("path", { class: "pla-cross" });
  const points = X.map((point, i) => mark(view, point, y[i]));
  const picture = shape("svg", { viewBox: `0 0 ${view.width} ${view.height}`, role: "img" },
    tint, axes(view), old, line, arrow, ...points, name, ring, cross);

  const back = element("button", { type: "button" }, "\u2190 Back");
  const next = element("button", { type: "button" }, "Next \u2192");
  const slider = element("input", { type: "range", min: 0, max: last, step: 1, "aria-label": "Visit" });
  const [epoch, visit, errors, theta] = Array.from({ length: 4 }, () => element("strong"));
  const numbers = element("div", { class: "pla-numbers" });
  const parts = thetas[0].length === 3 ? "(b, w\u2081, w\u2082)" : "(w\u2081, w\u2082)";
  for (const [term, value] of [["epoch", epoch], ["visit", visit], ["mistakes", errors], [`\u03b8 = ${parts}`, theta]])
    numbers.append(element("div", {}, term, value));
  const words = element("p", { class: "pla-words", "aria-live": "polite" });

  function draw() {
    const step = Math.min(model.get("step"), last);
    const now = story(record, thetas, step);
    const here = halfPlane(view, now.theta), was = now.wrong ? halfPlane(view, now.before) : null;
    tint.setAttribute("d", here?.side.length ? path(here.side) + "Z" : "");
    line.setAttribute("d", here?.foot ? path(here.line) : "");
    old.setAttribute("d", was?.foot ? path(was.line) : "");
    arrow.setAttribute("d", here?.foot ? arrowPath(here) : "");
    name.textContent = here?.foot ? "w" : "";
    if (here?.foot) { name.setAttribute("x", here.foot[0] + 50 * here.normal[0]); name.setAttribute("y", here.foot[1] + 50 * here.normal[1] + 5); }
    const at = now.example === null ? null : view.to(X[now.example]);
    ring.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) { ring.setAttribute("cx", at[0]); ring.setAttribute("cy", at[1]); }
    cross.setAttribute("d", now.wrong ? crossPath(at) : "");

    epoch.textContent = `${Math.max(1, Math.ceil(step / perEpoch))} of ${epochs}`;
    visit.textContent = `${step} of ${last}`;
    errors.textContent = now.mistakes;
    theta.textContent = vector(now.theta);
    words.textContent = now.words + (here && !here.foot ? " The line runs outside the picture." : "");
    picture.setAttribute("aria-label", `The ${X.length} points and the line after ${step} visits. ${now.words}`);
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step} of ${last}`);
    // aria-disabled keeps the focus where it is when an end is reached.
    back.setAttribute("aria-disabled", step === 0);
    next.setAttribute("aria-disabled", step === last);
  }

  function go(step) {
    model.set("step", Math.max(0, Math.min(last, step)));
    model.save_changes();
  }

  back.addEventListener("click", () => go(model.get("step") - 1));
  next.addEventListener("click", () => go(model.get("step") + 1));
  slider.addEventListener("input", () => go(slider.valueAsNumber));
  const keys = { ArrowLeft: () => model.get("step") - 1, ArrowRight: () => model.get("step") + 1, Home: () => 0, End: () => last };
  const root = element("div", { class: "pla", role: "group", "aria-label": "Perceptron stepper" },
    picture, element("div", { class: "pla-controls" }, back, slider, next), words, numbers);
  root.addEventListener("keydown", (event) => {
    if (event.target === slider || !(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(keys[event.key]());
  });
  model.on("change:step", draw);
  el.append(element("div", { class: "pla-frame" }, root));
  draw();
  return () => model.off("change:step", draw);
}

function arrowPath({ foot, normal: [u, v] }) {
  const tip = [foot[0] + 37 * u, foot[1] + 37 * v];
  const barb = (side) => [tip[0] - 8 * u + side * 4.5 * v, tip[1] - 8 * v - side * 4.5 * u];
  return path([foot, tip]) + path([barb(1), tip, barb(-1)]);
}

const crossPath = ([u, v]) => path([[u - 8, v - 8], [u + 8, v + 8]]) + path([[u - 8, v + 8], [u + 8, v - 8]]);

export default { render };
