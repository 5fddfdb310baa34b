// The quiz: one question in view. Every option explains itself once it is chosen, and the reader may choose again.

import { count, keepState } from "./address.js";
import { button, change, follow, row } from "./controls.js";
import { element, icon, setAttributes } from "./dom.js";

// A text as Python sends it: a list of strings and of [tag, ...parts].
const formatted = (parts) =>
  parts.map((part) => (typeof part === "string" ? part : element(part[0], {}, ...formatted(part.slice(1)))));

const sign = (right) => icon(right ? "right" : "wrong");

// A chip with the verdict, and why: a sentence of its own, so it begins with a capital.
function explanation({ right, why: [opening, ...rest] }) {
  const first = typeof opening === "string" ? opening[0].toUpperCase() + opening.slice(1) : opening;
  return [
    element("strong", { class: "pla-chip" }, icon(right ? "right" : "wrong"), right ? "Right" : "Wrong"),
    element("span", { class: "pla-live" }, ": "),
    ...formatted([first, ...rest]),
  ];
}

// How tries are written in a link and in memory: a list of options for each question.
const triesOf = (questions) => ({
  write: (tries) => tries.map((tried) => tried.join("-")).join("_"),
  read(text) {
    const tries = text.split("_").map((part) => (part ? part.split("-").map(count.read) : []));
    const isOption = (option, k) => option < questions[k].options.length;
    const isReadable =
      tries.length === questions.length && tries.every((tried, k) => tried.every((o) => isOption(o, k)));
    return isReadable ? tries : undefined;
  },
});

// The button of an option, with its letter, or once tried with a tick or a cross.
function optionButton({ text, right }, letter, choose) {
  const badge = element("span", { class: "pla-badge" });
  const node = button("", choose, { class: `pla-option pla-is-${right ? "right" : "wrong"}` });
  node.append(badge, element("span", {}, ...formatted(text)));
  function draw(isTried, isChosen) {
    node.setAttribute("aria-pressed", isChosen);
    node.classList.toggle("pla-tried", isTried);
    badge.replaceChildren(isTried ? sign(right) : letter);
    if (isTried) setAttributes(badge, { role: "img", "aria-label": right ? "right:" : "wrong:" });
    else for (const name of ["role", "aria-label"]) badge.removeAttribute(name);
  }
  return { node, draw };
}

// One question with its options, and below them a place for what they explain. All explanations lie invisibly in that
// place, so that it is high enough for the longest and nothing moves when one is shown.
function questionBlock({ ask, options }, title, choose) {
  const buttons = options.map((option, k) => optionButton(option, "ABCDEF"[k], () => choose(k)));
  const text = element("p", { class: "pla-words", "aria-live": "polite" });
  const hint = element("p", { class: "pla-hint" }, "Choose an answer to see why it is right or wrong.");
  const invisible = options.map((option) => element("p", { "aria-hidden": true }, ...explanation(option)));
  const place = element("div", { class: "pla-stack pla-explanation" }, ...invisible, hint, text);
  const node = element(
    "fieldset",
    { tabindex: -1 },
    element("legend", {}, element("small", {}, title), ...formatted(ask)),
    element("div", { class: "pla-options" }, ...buttons.map((option) => option.node)),
    place,
  );
  let explained = null;
  function draw(tries, isCurrent) {
    node.classList.toggle("pla-shown", isCurrent);
    const chosen = tries.at(-1) ?? null;
    buttons.forEach((option, k) => option.draw(tries.includes(k), k === chosen));
    hint.hidden = chosen !== null;
    place.dataset.verdict = chosen === null ? "" : options[chosen].right ? "right" : "mistake";
    // Written only when it changes: a live region that is written again is read aloud again.
    if (chosen !== explained) text.replaceChildren(...(chosen === null ? [] : explanation(options[chosen])));
    explained = chosen;
  }
  return { node, draw };
}

// How many questions were answered right on the first try; `firstTries` has true, false, or null where there is none.
function tallyText(firstTries) {
  const answered = firstTries.filter((right) => right !== null).length;
  const right = firstTries.filter(Boolean).length;
  if (!answered) return "No answer yet.";
  if (right === firstTries.length && right > 1) return `All ${right} right on the first try!`;
  const tally = `${right} of ${answered} right on the first try.`;
  return answered < firstTries.length ? `So far, ${tally}` : tally;
}

function render({ model, el }) {
  const questions = model.get("questions");
  const last = questions.length - 1;
  const kept = keepState(model, el, { tries: triesOf(questions), current: count });
  const [narrow, wide] = model.get("height");
  const tries = () => questions.map((_, k) => model.get("tries")[k] ?? []);
  const current = () => Math.min(model.get("current"), last);
  function choose(k, option) {
    const now = tries();
    if (now[k].at(-1) === option) return;
    change(model, { tries: now.map((tried, j) => (j === k ? [...tried, option] : tried)) });
  }
  const blocks = questions.map((question, k) =>
    questionBlock(question, `Question ${k + 1} of ${last + 1}`, (option) => choose(k, option)),
  );
  const numbers = questions.map((_, k) => button("", () => change(model, { current: k })));
  const goOn = () => {
    if (current() === last) return;
    change(model, { current: current() + 1 });
    blocks[current()].node.focus();
  };
  const next = button("Next", goOn, { class: "pla-filled pla-next" });
  next.append(icon("next"));
  const restart = button("Start again", () => change(model, { tries: questions.map(() => []), current: 0 }));
  const tally = element("p", { class: "pla-tally", role: "status" });

  function draw() {
    const now = tries();
    const firstTries = now.map((tried, k) => (tried.length ? questions[k].options[tried[0]].right : null));
    blocks.forEach((block, k) => block.draw(now[k], k === current()));
    numbers.forEach((node, k) => {
      const right = firstTries[k];
      const later = right === false ? now[k].findIndex((option) => questions[k].options[option].right) : -1;
      const first = right === null ? "not answered yet" : `${right ? "right" : "wrong"} on the first try`;
      const result = first + (later > 0 ? `, right on try ${later + 1}` : "");
      node.replaceChildren(String(k + 1), ...(right === null ? [] : [sign(right)]), ...(later > 0 ? [sign(true)] : []));
      setAttributes(node, { "aria-label": `Question ${k + 1}, ${result}`, "aria-current": k === current() });
    });
    next.setAttribute("aria-disabled", current() === last);
    restart.setAttribute(
      "aria-disabled",
      firstTries.every((right) => right === null),
    );
    const text = tallyText(firstTries);
    if (tally.textContent !== text) tally.textContent = text;
  }

  const root = element(
    "div",
    { class: "pla pla-quiz", role: "group", "aria-label": "Self-test" },
    element("div", { class: "pla-controls pla-question-numbers" }, ...numbers),
    element("div", { class: "pla-stack" }, ...blocks.map((block) => block.node)),
    row(next, restart, tally),
  );
  // As high as the place that the page keeps free for it, so that the text below stays where it is.
  root.style.setProperty("--narrow", `calc(${narrow})`);
  root.style.setProperty("--wide", `calc(${wide})`);
  el.append(element("div", { class: "pla-frame" }, root));
  const unfollow = follow(model, ["tries", "current"], draw);
  return () => {
    unfollow();
    kept.stop();
  };
}

export default { render };
