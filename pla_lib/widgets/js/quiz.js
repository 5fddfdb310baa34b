// The quiz: one question in view; whatever option is chosen explains itself, and the reader may choose again.

import { button, follow, row, spoken } from "./controls.js";
import { element, filled } from "./dom.js";

// A text as Python formats it: strings, and [tag, ...parts].
const written = (parts) =>
  parts.map((part) => (typeof part === "string" ? part : element(part[0], {}, ...written(part.slice(1)))));

const verdict = (right) => (right ? "\u2713 Right: " : "\u2717 Wrong: ");
const explained = ({ right, why }) => [element("strong", {}, verdict(right)), ...written(why)];

// One question. All explanations lie in the same place, unseen: the place is high enough for the longest.
function asked({ ask, options }, title, choose) {
  const buttons = options.map(({ text, right }, k) => {
    const letter = "ABCDEF"[k],
      badge = element("span", { class: "pla-badge" });
    const node = button("", () => choose(k), { class: `pla-option pla-is-${right ? "right" : "wrong"}` });
    node.append(badge, element("span", {}, ...written(text)));
    function draw(tried, chosen) {
      node.setAttribute("aria-pressed", chosen);
      node.classList.toggle("pla-tried", tried);
      badge.textContent = tried ? verdict(right)[0] : letter;
      if (tried) filled(badge, { role: "img", "aria-label": right ? "right:" : "wrong:" }, []);
      else for (const name of ["role", "aria-label"]) badge.removeAttribute(name);
    }
    return { node, draw };
  });
  const words = spoken();
  const room = options.map((option) => element("p", { "aria-hidden": true }, ...explained(option)));
  const node = element(
    "fieldset",
    { tabindex: -1 },
    element("legend", {}, element("small", {}, title), ...written(ask)),
    element("div", { class: "pla-options" }, ...buttons.map((option) => option.node)),
    element("div", { class: "pla-stack pla-why" }, ...room, words),
  );
  let told = null;
  function draw(tries, here) {
    node.classList.toggle("pla-shown", here);
    const chosen = tries.at(-1) ?? null;
    buttons.forEach((option, k) => option.draw(tries.includes(k), k === chosen));
    // Said once: a live region that is written again is read again.
    if (chosen !== told) words.replaceChildren(...(chosen === null ? [] : explained(options[chosen])));
    words.className = chosen === null ? "pla-words" : `pla-words pla-is-${options[chosen].right ? "right" : "wrong"}`;
    told = chosen;
  }
  return { node, draw };
}

function render({ model, el }) {
  const questions = model.get("questions"),
    count = questions.length,
    [narrow, wide] = model.get("height");
  const tries = () => questions.map((_, k) => model.get("tries")[k] ?? []);
  const current = () => Math.min(model.get("current"), count - 1);
  const set = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const blocks = questions.map((question, k) =>
    asked(question, `Question ${k + 1} of ${count}`, (option) => {
      const now = tries();
      if (now[k].at(-1) !== option) set({ tries: now.map((tried, j) => (j === k ? [...tried, option] : tried)) });
    }),
  );
  const numbers = questions.map((_, k) => button("", () => set({ current: k })));
  const next = button("Next \u2192", () => {
    if (current() === count - 1) return;
    set({ current: current() + 1 });
    blocks[current()].node.focus();
  });
  const again = button("Start again", () => set({ tries: questions.map(() => []), current: 0 }));
  const tally = element("p", { class: "pla-tally", role: "status" });

  function draw() {
    const now = tries(),
      here = current();
    const first = now.map((tried, k) => (tried.length ? questions[k].options[tried[0]].right : null));
    const open = first.filter((right) => right === null).length,
      right = first.filter(Boolean).length;
    blocks.forEach((block, k) => block.draw(now[k], k === here));
    numbers.forEach((node, k) => {
      const how = first[k] === null ? "not answered yet" : `${first[k] ? "right" : "wrong"} at first try`;
      node.textContent = k + 1 + (first[k] === null ? "" : `\u2009${verdict(first[k])[0]}`);
      filled(node, { "aria-label": `Question ${k + 1}, ${how}`, "aria-current": k === here }, []);
    });
    next.setAttribute("aria-disabled", here === count - 1);
    again.setAttribute("aria-disabled", open === count);
    const words =
      open === count
        ? "Choose an answer: it explains itself."
        : `${open ? "So far " : ""}${right} of ${count - open} right at first try${open ? "." : right === count ? ": all of them!" : "."}`;
    if (tally.textContent !== words) tally.textContent = words;
  }

  const root = element(
    "div",
    { class: "pla pla-quiz", role: "group", "aria-label": "Self-test" },
    element("div", { class: "pla-controls pla-numbering" }, ...numbers),
    element("div", { class: "pla-stack" }, ...blocks.map((block) => block.node)),
    row(next, again, tally),
  );
  // As high as the place that the page keeps free for it, so that nothing moves when it comes.
  root.style.setProperty("--narrow", `calc(${narrow})`);
  root.style.setProperty("--wide", `calc(${wide})`);
  el.append(element("div", { class: "pla-frame" }, root));
  return follow(model, ["tries", "current"], draw);
}

export default { render };
