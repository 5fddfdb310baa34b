// Buttons, sliders, tabs and other controls. Every control is a real one, with a name for the keyboard and the screen
// reader.

import { element, icon, isPlainKey } from "./dom.js";

export function button(text, act, attributes = {}) {
  const node = element("button", { type: "button", ...attributes }, text);
  node.addEventListener("click", act);
  return node;
}

// A button that shows an icon; its name is for the screen reader, and a tooltip for everyone else.
export function iconButton(name, iconName, act, attributes = {}) {
  const node = button("", act, { "aria-label": name, title: name, class: "pla-icon-button", ...attributes });
  node.append(icon(iconName));
  return node;
}

// A slider: its name, its value, its track. `act` gets the number, and the gesture, one object for a whole drag;
// `show(value, text)` brings it up to date; a double-click sets it to `reset`, a number or a function that returns one.
export function slider(name, limits, act, reset = null) {
  const input = element("input", { type: "range", "aria-label": name, ...limits });
  const output = element("output");
  let gesture = {};
  input.addEventListener("input", () => act(input.valueAsNumber, gesture));
  input.addEventListener("change", () => {
    gesture = {};
  });
  if (reset !== null)
    input.addEventListener("dblclick", () => act(typeof reset === "function" ? reset() : reset, null));
  function show(value, text) {
    input.value = value;
    input.setAttribute("aria-valuetext", text);
    output.textContent = text;
  }
  return { node: element("label", { class: "pla-slider" }, element("span", {}, name), output, input), input, show };
}

// A choice of one among several; `options` maps values to what the reader sees.
export function choice(name, options, act) {
  const items = Object.entries(options).map(([value, text]) => element("option", { value }, text));
  const select = element("select", {}, ...items);
  select.addEventListener("change", () => act(select.value));
  return { node: element("label", { class: "pla-choice" }, name, select), select };
}

export function toggle(name, act) {
  const box = element("input", { type: "checkbox" });
  box.addEventListener("change", () => act(box.checked));
  return { node: element("label", { class: "pla-toggle" }, box, name), box };
}

// A group of buttons of which one is pressed; `options` maps values to what the reader sees. `show(value)` presses one.
export function segments(name, options, act) {
  const buttons = Object.entries(options).map(([value, text]) =>
    button(text, () => act(value), { "data-value": value }),
  );
  const node = element("div", { class: "pla-segments", role: "group", "aria-label": name }, ...buttons);
  function show(value) {
    for (const one of buttons) one.setAttribute("aria-pressed", one.dataset.value === String(value));
  }
  return { node, show };
}

// Numbers with their names; `show` takes their texts in the same order.
export function facts(...names) {
  const values = names.map(() => element("strong"));
  const items = names.map((name, k) => element("div", {}, name, values[k]));
  function show(...texts) {
    texts.forEach((text, k) => {
      if (values[k].textContent !== String(text)) values[k].textContent = text;
    });
  }
  return { node: element("div", { class: "pla-numbers" }, ...items), values, show };
}

// A table of numbered rows. `rowOf(k)` gives row k as { cells, point, act }: `point` lights up with its row, `act` is
// what a press on the row does. `show(first, last, current)` shows these rows, with the current one in view. Rows that
// are already there stay, so that a step makes or removes only one; `forget()` drops them all, for when what they say
// has changed.
export function logTable(caption, headings, rowOf, lights = null) {
  const body = element("tbody");
  const head = headings.map((text) => element("th", { scope: "col" }, text));
  const table = element(
    "table",
    { class: "pla-log" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head)),
    body,
  );
  const node = element("div", { class: "pla-scroll", tabindex: 0, role: "group", "aria-label": caption }, table);
  const none = element("tr", {}, element("td", { colspan: headings.length }, "none yet"));
  const rows = new Map();
  function tableRow({ cells, point = null, act = null }) {
    const [first, ...rest] = cells;
    const opening = act ? button(String(first), act, { class: "pla-row-button" }) : String(first);
    const row = element("tr", {}, element("td", {}, opening), ...rest.map((text) => element("td", {}, String(text))));
    if (point !== null) lights?.link(row, point);
    return row;
  }
  function forget() {
    body.replaceChildren();
    rows.clear();
  }
  function show(first, last, current = last) {
    none.remove();
    for (const [k, row] of rows)
      if (k < first || k > last) {
        row.remove();
        rows.delete(k);
      }
    let following = null;
    for (let k = last; k >= first; k--) {
      if (!rows.has(k)) {
        rows.set(k, tableRow(rowOf(k)));
        body.insertBefore(rows.get(k), following);
      }
      following = rows.get(k);
    }
    if (!rows.size) body.append(none);
    body.querySelector("[aria-current]")?.removeAttribute("aria-current");
    rows.get(current)?.setAttribute("aria-current", "true");
    // Once for each frame: to know where the row is, the browser has to lay out the whole table.
    cancelAnimationFrame(request);
    request = requestAnimationFrame(bringIntoView);
  }
  let request = null;
  function bringIntoView() {
    const seen = body.querySelector("[aria-current]") ?? body.lastChild;
    if (seen) node.scrollTop = Math.max(0, seen.offsetTop + seen.offsetHeight + 8 - node.clientHeight);
  }
  // A table in a tab that was hidden has its height only when the tab is shown.
  new ResizeObserver(bringIntoView).observe(node);
  lights?.onChange((point) => {
    for (const row of body.children) row.classList.toggle("pla-lit", row.dataset.point === String(point));
  });
  return { node, show, forget };
}

// Tabs over panels; `panels` maps their names to nodes. `select(name)` shows one.
export function tabs(label, panels, onSelect = () => {}) {
  const names = Object.keys(panels);
  const id = `pla-tabs-${Math.random().toString(36).slice(2)}`; // unique, where several widgets are on one page
  const buttons = names.map((name, k) =>
    button(name, () => select(name), { role: "tab", id: `${id}-${k}`, "aria-controls": `${id}-panel-${k}` }),
  );
  const boxes = names.map((name, k) =>
    element(
      "div",
      { role: "tabpanel", id: `${id}-panel-${k}`, "aria-labelledby": `${id}-${k}`, class: "pla-tab-panel" },
      panels[name],
    ),
  );
  const list = element("div", { class: "pla-tabs", role: "tablist", "aria-label": label }, ...buttons);
  list.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const shown = buttons.filter((one) => one.offsetParent);
    const at = shown.indexOf(event.target);
    if (!by || at < 0 || !isPlainKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = shown[(at + by + shown.length) % shown.length];
    next.focus();
    next.click();
  });
  let selected = null;
  function select(name) {
    selected = name;
    names.forEach((one, k) => {
      buttons[k].setAttribute("aria-selected", one === name);
      buttons[k].tabIndex = one === name ? 0 : -1;
      boxes[k].hidden = one !== name;
    });
    onSelect(name);
  }
  return { list, boxes, buttons, select, selected: () => selected };
}

export const row = (...nodes) => element("div", { class: "pla-controls" }, ...nodes);

// Sets values of the model, and passes them to the kernel if there is one.
export function change(model, values) {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  model.save_changes();
}

// Draws now, and again whenever one of these values of the model changes. Returns the function that ends this.
export function follow(model, names, draw) {
  for (const name of names) model.on(`change:${name}`, draw);
  draw();
  return () => {
    for (const name of names) model.off(`change:${name}`, draw);
  };
}
