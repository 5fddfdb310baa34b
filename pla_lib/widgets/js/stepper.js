// The stepper: `step` visits have been made; everything drawn and said follows from the run's record.

import { assemble, button, facts, follow, row, spoken, stepping, toggle } from "./controls.js";
import { area, arrow, element, filled, path, picture, shape, titled } from "./dom.js";
import { axes, clip, dot, input, mark, plane, separator, spotlight } from "./plane.js";
import { made, story, weights } from "./run_record.js";
import { counted, signed, vector } from "./wording.js";

// Weight space, where there is no offset: every example is a line through 0, and w must be on its right side of it.
// The darker region, if any, holds the w that are right for all.
function weightSpace({ X, y }, thetas) {
  const reach = Math.max(...thetas.flat().map(Math.abs)) || 1;
  const view = plane(
    [
      [-reach, -reach],
      [reach, reach],
    ],
    { names: ["w\u2081", "w\u2082"] },
  );
  let cone = view.corners;
  const lines = X.map((x, i) => {
    const { side, cut } = clip(view.corners, (w) => y[i] * dot(w, x));
    cone = clip(cone, (w) => y[i] * dot(w, x)).side;
    return shape("path", {
      d: side.length ? path(cut.map(view.to)) : "",
      class: `pla-thin pla-${y[i] > 0 ? "positive" : "negative"}-line`,
    });
  });
  const own = shape("path", { class: "pla-line pla-own" }),
    way = shape("path", { class: "pla-line pla-way" });
  const here = shape("circle", { r: 6, class: "pla-here" });
  const room = shape("path", { d: area(cone.map(view.to)), class: "pla-cone" });
  const node = picture(view, "", room, axes(view), ...lines, own, way, here);
  function draw(now) {
    const [u, v] = view.to(now.theta);
    filled(here, { cx: u, cy: v }, []);
    way.setAttribute("d", now.before ? arrow(view.to(now.before), [u, v]) : "");
    const cut = now.example === null ? [] : clip(view.corners, (w) => dot(w, X[now.example])).cut;
    own.setAttribute("d", path(cut.map(view.to)));
    const inIt = X.every((x, i) => y[i] * dot(now.theta, x) > 0);
    node.setAttribute(
      "aria-label",
      `Weight space: w is at ${vector(now.theta)}. ` +
        (cone.length < 3
          ? "No w is right for all points."
          : `The shaded region holds the w that are right for all points; w is ${inIt ? "in it" : "not in it"}.`),
    );
  }
  return { node: titled("Weight space.", " Shaded: right for all.", node), draw };
}

// The ledger of numbers, where there is an offset: a row for each update, the last ones in view.
function ledger({ X, y, order, times }, thetas) {
  const body = element("tbody"),
    shown = 6;
  const head = ["update", "point", "score", "\u03b8 = (b, w\u2081, w\u2082)"].map((text) =>
    element("th", { scope: "col" }, text),
  );
  const node = element(
    "table",
    { class: "pla-ledger" },
    element("caption", {}, "The updates so far"),
    element("thead", {}, element("tr", {}, ...head)),
    body,
  );
  function draw({ mistakes }) {
    const rows = [];
    for (let k = Math.max(1, mistakes - shown + 1); k <= mistakes; k++) {
      const i = order[times[k - 1] % order.length];
      const cells = [
        k,
        `${i} (${signed(y[i])})`,
        signed(dot(thetas[k - 1], input(thetas[0], X[i]))),
        vector(thetas[k]),
      ];
      rows.push(element("tr", {}, ...cells.map((text) => element("td", {}, String(text)))));
    }
    if (!mistakes) rows.push(element("tr", {}, element("td", { colspan: 4 }, "none yet")));
    body.replaceChildren(...rows);
  }
  return { node, draw };
}

// The quiz: asks about the next visit before it is shown.
function asker(record, thetas, steps, words) {
  const node = element("div", { class: "pla-question", hidden: "" });
  let on = false,
    told = "";
  function ask() {
    const step = steps.now();
    node.hidden = !on || step === record.visits;
    if (node.hidden) return;
    const { X, y, order } = record,
      i = order[step % order.length],
      after = story(record, thetas, step + 1);
    const theta = thetas[made(record.times, step)],
      score = dot(theta, input(theta, X[i]));
    const side = score > 0 ? "the +1 side" : score < 0 ? "the \u22121 side" : "the line itself";
    const lineless = theta.every((value) => value === 0);
    const finish = (text) => {
      told = text;
      steps.go(step + 1);
    };
    const question = (text, answers) =>
      node.replaceChildren(
        element("p", {}, text),
        row(...Object.entries(answers).map(([answer, act]) => button(answer, act))),
      );
    const judge = (verdict) => {
      const place = lineless
        ? "there is no line yet, every score is 0"
        : `its score is ${signed(score)}, so it is on ${side}`;
      if (!after.wrong) return finish(`${verdict}${place}. `);
      const toward = y[i] > 0 ? "towards the point" : "away from it";
      question(
        `${verdict}${place}, and its class is ${signed(y[i])}: a mistake. Which way will w go?`,
        Object.fromEntries(
          ["towards the point", "away from it"].map((way) => [
            way,
            () =>
              finish(
                way === toward
                  ? "Yes. "
                  : `No: the update ${y[i] > 0 ? "adds" : "subtracts"} the point, w goes ${toward}. `,
              ),
          ]),
        ),
      );
    };
    if (lineless && after.wrong) return judge(`Next is point ${i}: `);
    question(
      `Next is point ${i}, class ${signed(y[i])}. On which side of the line is it?`,
      Object.fromEntries(
        ["the +1 side", "the \u22121 side", "the line itself"].map((answer) => [
          answer,
          () => {
            judge(answer === side ? "Yes: " : "No: ");
            node.querySelector("button")?.focus();
          },
        ]),
      ),
    );
  }
  function draw() {
    words.prepend(told);
    told = "";
    ask();
  }
  return {
    node,
    draw,
    switch: (to) => {
      on = to;
      ask();
    },
    pending: () => (on && steps.now() < record.visits ? record.order[steps.now() % record.order.length] : null),
  };
}

function render({ model, el }) {
  const record = model.get("record"),
    { X, y, times, visits, epochs, order, theta0 } = record;
  const thetas = weights(record),
    perEpoch = visits / epochs,
    view = plane(X);
  const line = separator(view),
    light = spotlight(view),
    beside = (theta0.length === 3 ? ledger : weightSpace)(record, thetas);
  const data = picture(
    view,
    "",
    line.tint,
    axes(view),
    ...X.map((point, i) => mark(view, point, y[i])),
    line.over,
    light.node,
  );
  const numbers = facts(
    "epoch",
    "visit",
    "mistakes",
    `\u03b8 = ${theta0.length === 3 ? "(b, w\u2081, w\u2082)" : "(w\u2081, w\u2082)"}`,
  );
  const words = spoken();
  const steps = stepping(model, visits, {
    name: "Visit",
    jump: { text: "Next mistake", to: (step) => (times[made(times, step)] ?? visits - 1) + 1 },
  });
  const quiz = asker(record, thetas, steps, words);
  const ask = toggle("Ask me first", (on) => {
    quiz.switch(on);
    draw();
  });
  steps.nodes[1].append(ask.node);

  function draw() {
    const step = steps.now(),
      now = story(record, thetas, step),
      seen = line.draw(now.theta, now.before);
    const pending = quiz.pending();
    light.draw(
      pending !== null ? X[pending] : now.example === null ? null : X[now.example],
      pending === null && now.wrong,
    );
    beside.draw(now);
    numbers.show(
      `${Math.max(1, Math.ceil(step / perEpoch))} of ${epochs}`,
      `${step} of ${visits}`,
      now.mistakes,
      vector(now.theta),
    );
    words.textContent = now.words + seen;
    data.setAttribute(
      "aria-label",
      `The ${X.length} points and the line after ${counted(step, "visit")}. ${now.words}`,
    );
    steps.show();
    quiz.draw();
  }

  assemble(el, "Perceptron stepper", {
    pictures: [titled("Data.", " Ring: in hand. Cross: mistake.", data), beside.node],
    panel: [words, quiz.node, numbers.node],
    controls: steps.nodes,
    keys: steps.listen,
  });
  const forget = follow(model, ["step"], draw);
  return () => {
    forget();
    steps.stop();
  };
}

export default { render };
