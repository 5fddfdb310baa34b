// The shell that every widget lives in: a verdict, a stage with the picture and a pane of tabs beside it, and the row
// of controls, all within one screen. It also shares, undoes, and says each step aloud.

import { keepState } from "./address.js";
import { button, change, iconButton, row, tabs } from "./controls.js";
import { element, icon } from "./dom.js";
import { savePng, saveSvg } from "./export.js";
import { spotlight } from "./points.js";

const NARROW = 560; // pixels: below this the pane's tabs lie over the stage
const ROOMY = 720; // from this on the lower row has room for more than the transport
const MOST_UNDO = 50;
const TOAST = 6000; // milliseconds
// Kind of verdict -> its icon and its word.
const CHIPS = {
  start: ["info", "Start"],
  right: ["right", "Right"],
  mistake: ["wrong", "Mistake"],
  done: ["done", "Done"],
  note: ["info", "Look"],
};

// A text in which every "point 7" lights up with its point, and each number of "points 1, 2 and 5" or "point 1 to 2".
export function linkedText(text, lights) {
  const mention = (part) => lights.link(element("span", { class: "pla-mention" }, part), Number(part.match(/\d+/)[0]));
  return text
    .split(/(points[ \u00a0]\d+(?:(?:, | and )\d+)*|point[ \u00a0]\d+(?: to \d+)?)/i)
    .flatMap((part, k) =>
      k % 2 === 0 ? part : part.split(/(, | and | to )/).map((piece, j) => (j % 2 === 0 ? mention(piece) : piece)),
    );
}

// The changes that a reader can take back: 50 of them, each the values that the model had before. All changes of one
// gesture (a drag, say) count as one.
function history(model, names, afterwards) {
  const [past, future] = [[], []];
  let lastGesture = null;
  const snapshot = () => Object.fromEntries(names.map((name) => [name, model.get(name)]));
  function edit(values, gesture = null) {
    if (gesture === null || gesture !== lastGesture) past.push(snapshot());
    if (past.length > MOST_UNDO) past.shift();
    future.length = 0;
    lastGesture = gesture;
    change(model, values);
    afterwards();
  }
  function travel(from, to) {
    if (!from.length) return false;
    to.push(snapshot());
    lastGesture = null;
    change(model, from.pop());
    afterwards();
    return true;
  }
  return {
    edit,
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}

// Puts a widget together.
//   name      of the widget, for the screen reader
//   main      { name, picture }: the main picture, a fittedPicture
//   panes     name -> node: what stands in the tabs beside it; a node may be the node of a fittedPicture
//   steps     a transport, if the widget has one
//   controls  other nodes of the lower row, before the transport
//   more      name -> nodes: sections of the sheet "More"
//   extra     { name, nodes }: where the lower row has room for them they are in it, else in the sheet
//   state     name of a value of the model -> how it is written in a link (address.js)
//   edits     the names of the values that undo brings back
//   python    a function that returns the Python that makes what is shown
//   lights    the spotlight of the points
// Returns { root, show, edit, toast, ask, stop, ... }; `show({ kind, chip, text, why })` sets the verdict.
export function shell(
  { model, el },
  {
    name,
    main,
    panes = {},
    steps = null,
    controls = [],
    more = {},
    extra = null,
    state = {},
    edits = [],
    python,
    lights = spotlight(),
  },
) {
  const kept = keepState(model, el, state);

  // The verdict: a chip, one sentence, and what is behind it.
  const chip = element("span", { class: "pla-chip" });
  const words = element("p", { class: "pla-words" });
  const why = element("div", { class: "pla-why", hidden: "" });
  const whyButton = button("why?", () => openWhy(why.hidden), { class: "pla-why-button", "aria-expanded": "false" });
  const verdict = element("div", { class: "pla-verdict" }, chip, words, whyButton);
  const live = element("p", { class: "pla-live", "aria-live": "polite" });
  function openWhy(isOpen) {
    why.hidden = !isOpen;
    whyButton.setAttribute("aria-expanded", isOpen);
  }

  // The stage: on a wide screen the main picture with the tabs of the pane beside it; on a narrow one it is a tab too.
  const sides = Object.keys(panes);
  const stageTabs = tabs(`${name}: views`, { [main.name]: main.picture.node, ...panes });
  stageTabs.boxes[0].classList.add("pla-main");
  const stage = element("div", { class: "pla-stage" }, ...(sides.length ? [stageTabs.list] : []), ...stageTabs.boxes);
  let isNarrow = null;
  function fit() {
    // Before the widget is on the page, the window's width is the best guess.
    const width = root.clientWidth || innerWidth - 32;
    fitExtra(width >= ROOMY);
    if (width < NARROW === isNarrow) return;
    isNarrow = width < NARROW;
    root.classList.toggle("pla-narrow", isNarrow);
    stageTabs.select(isNarrow || !sides.length ? main.name : sides[0]);
  }

  // The sheet "More" lies over the stage.
  const shareStatus = element("span", { role: "status" });
  const code = element("pre", { class: "pla-python", tabindex: 0, "aria-label": "Python", hidden: "" });
  async function copy(content, what) {
    try {
      await navigator.clipboard.writeText(content);
      shareStatus.textContent = `${what} copied.`;
    } catch {
      code.hidden = false;
      code.textContent = content;
      shareStatus.textContent = "This browser blocked the copy. Select the text and copy it yourself.";
    }
  }
  const svg = () => main.picture.node.querySelector("svg");
  const fileName = name.toLowerCase().replaceAll(" ", "-");
  const share = [
    ...(kept.link ? [button("Copy link", () => shareLink())] : []),
    ...(python
      ? [
          button("Copy as Python", () => {
            code.hidden = false;
            code.textContent = python();
            copy(code.textContent, "Python");
          }),
        ]
      : []),
    button("Save SVG", () => saveSvg(svg(), fileName)),
    button("Save PNG", () => savePng(svg(), fileName)),
    shareStatus,
  ];
  function shareLink() {
    kept.writeAddress();
    copy(kept.link(), "Link");
  }
  const undoButton = button("Undo", () => past.undo());
  const redoButton = button("Redo", () => past.redo());
  const fullScreen = button("Full screen", () =>
    document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen(),
  );
  const sections = {
    ...(extra ? { [extra.name]: extra.nodes } : {}),
    ...more,
    ...(edits.length ? { Edit: [undoButton, redoButton] } : {}),
    Share: share,
    ...(document.fullscreenEnabled ? { View: [fullScreen] } : {}),
  };
  const sheet = element("div", { class: "pla-sheet", role: "dialog", "aria-label": `${name}: more`, hidden: "" });
  for (const [title, nodes] of Object.entries(sections))
    sheet.append(element("section", {}, element("h4", {}, title), row(...nodes)));
  sheet.append(code);
  const extraSection = extra && sheet.firstElementChild;
  function fitExtra(isRoomy) {
    if (!extra || extraSection.hidden === isRoomy) return;
    extraSection.hidden = isRoomy;
    if (isRoomy) moreButton.before(...extra.nodes);
    else extraSection.lastElementChild.append(...extra.nodes);
  }
  const moreButton = iconButton("More", "more", () => openSheet(sheet.hidden), { "aria-expanded": "false" });
  function openSheet(isOpen) {
    sheet.hidden = !isOpen;
    moreButton.setAttribute("aria-expanded", isOpen);
    sheet.style.setProperty("--pla-above", `${verdict.offsetHeight}px`);
    sheet.style.setProperty("--pla-below", `${bar.offsetHeight}px`);
    if (isOpen) sheet.querySelector("section:not([hidden]) :is(button, select, input)")?.focus();
  }

  // The lower row; while the reader is asked something, the question takes its place.
  const bar = element("div", { class: "pla-bar" }, ...controls, ...(steps ? [steps.node] : []), moreButton);
  const question = element("div", { class: "pla-question", hidden: "" });
  function ask(...nodes) {
    bar.hidden = nodes.length > 0;
    question.hidden = !nodes.length;
    question.replaceChildren(...nodes);
    // The pointer may already be where a new answer is: only when it moves is that answer under it.
    question.classList.add("pla-untouched");
  }
  question.addEventListener("pointermove", ({ movementX, movementY }) => {
    if (movementX || movementY) question.classList.remove("pla-untouched");
  });

  const toastBox = element("div", { class: "pla-toast", role: "status", hidden: "" });
  let toastTimer = null;
  function toast(text, action = null) {
    clearTimeout(toastTimer);
    toastBox.hidden = false;
    const actions = action ? [button(action.name, () => action.act() && hideToast())] : [];
    toastBox.replaceChildren(text, ...actions);
    toastTimer = setTimeout(hideToast, TOAST);
  }
  function hideToast() {
    clearTimeout(toastTimer);
    toastBox.hidden = true;
  }

  const past = history(model, edits, () => {
    kept.edited();
    showUndo();
  });
  function showUndo() {
    undoButton.setAttribute("aria-disabled", !past.canUndo());
    redoButton.setAttribute("aria-disabled", !past.canRedo());
  }
  showUndo();
  const root = element(
    "div",
    { class: "pla", role: "group", "aria-label": name },
    verdict,
    stage,
    bar,
    question,
    why,
    sheet,
    toastBox,
    live,
  );
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !(sheet.hidden && why.hidden)) {
      event.stopPropagation();
      if (!sheet.hidden) moreButton.focus();
      openSheet(false);
      openWhy(false);
      return;
    }
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (isUndo && edits.length && !event.target.matches("textarea")) {
      event.preventDefault();
      if (event.shiftKey) past.redo();
      else past.undo();
      return;
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "y" && edits.length) {
      event.preventDefault();
      past.redo();
      return;
    }
    if (bar.hidden) return;
    steps?.onKey(event);
  });
  root.addEventListener("pointerdown", (event) => {
    if (!sheet.contains(event.target) && !moreButton.contains(event.target)) openSheet(false);
    if (!why.contains(event.target) && !whyButton.contains(event.target)) openWhy(false);
  });

  // While a run plays, nothing is read aloud; when it pauses or ends, the last step is.
  let unsaid = null;
  function speak() {
    if (unsaid !== null && live.textContent !== unsaid) live.textContent = unsaid;
    unsaid = null;
  }
  steps?.onPause.add(speak);
  let shown = null;
  function show({ kind, chip: word = CHIPS[kind][1], text, why: details = "" }) {
    const key = [kind, word, text, details].join("|");
    if (key === shown) return;
    const wasDone = root.dataset.verdict === "done";
    const isFirst = shown === null;
    shown = key;
    chip.replaceChildren(icon(CHIPS[kind][0]), word);
    words.replaceChildren(...linkedText((isFirst ? kept.problem : "") + text, lights));
    why.replaceChildren(...linkedText(details, lights));
    whyButton.classList.toggle("pla-nothing", !details);
    if (!details) openWhy(false);
    root.dataset.verdict = kind;
    root.classList.toggle("pla-wash", kind === "done" && !wasDone && !isFirst);
    unsaid = `${word}. ${text}`;
    if (!steps?.isPlaying() && !isFirst) speak();
  }
  lights.onChange((point) => {
    for (const one of root.querySelectorAll(".pla-mention"))
      one.classList.toggle("pla-lit", one.dataset.point === String(point));
  });

  const frame = element("div", { class: "pla-frame" }, root);
  el.append(frame);
  const sizes = new ResizeObserver(fit);
  sizes.observe(root);
  // A widget that has left the screen does not play on.
  const sight = new IntersectionObserver(([entry]) => entry.isIntersecting || steps?.pause());
  sight.observe(root);
  const onHide = () => document.hidden && steps?.pause();
  document.addEventListener("visibilitychange", onHide);
  function stop() {
    sizes.disconnect();
    sight.disconnect();
    document.removeEventListener("visibilitychange", onHide);
    clearTimeout(toastTimer);
    steps?.stop();
    main.picture.stop();
    kept.stop();
  }
  fit();
  return {
    root,
    show,
    ask,
    toast,
    edit: past.edit,
    undo: past.undo,
    edited: kept.edited,
    select: stageTabs.select,
    stop,
  };
}
