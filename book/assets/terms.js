// The meaning of a glossary word in a note beside it: when the mouse rests on it, when Tab reaches it, and on the first
// tap; a second tap, like a click, opens the glossary. Without this script browsers show the link's title on hover.
(() => {
  if (!HTMLElement.prototype.showPopover) return;
  const DELAY = 200; // milliseconds, so that a mouse that only passes by opens nothing
  const note = document.createElement("span");
  note.className = "term-note";
  note.popover = "manual";
  note.innerHTML = '<span id="term-meaning"></span> <a>Open the glossary</a>';
  const [meaning, link] = note.children;
  let shown = null; // the word whose meaning is shown
  let tapped = null;
  let byTouch = false;
  let timer;

  function show(term) {
    if (shown !== term) hide();
    shown = term;
    if (term.title) meaning.textContent = term.title;
    term.removeAttribute("title"); // else the browser would show it a second time
    term.setAttribute("aria-describedby", meaning.id);
    link.href = term.href;
    link.hidden = term !== tapped;
    term.after(note);
    note.showPopover();
    const { left, right, top, bottom } = term.getClientRects()[0];
    const { width, height } = note.getBoundingClientRect();
    const page = document.documentElement;
    const x = Math.min(Math.max((left + right - width) / 2, 8), page.clientWidth - width - 8);
    const y = bottom + height + 14 < page.clientHeight ? bottom + 6 : top - height - 6;
    note.style.left = `${x + scrollX}px`;
    note.style.top = `${y + scrollY}px`;
  }

  function hide() {
    clearTimeout(timer);
    if (!shown) return;
    shown.title = meaning.textContent;
    shown.removeAttribute("aria-describedby");
    shown = tapped = null;
    note.remove();
  }

  const termAt = (target) => target.closest?.("a.term");

  document.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch") return;
    clearTimeout(timer);
    const term = termAt(target);
    if (term && term !== shown) timer = setTimeout(show, DELAY, term);
    else if (!term && !note.contains(target) && shown !== document.activeElement) timer = setTimeout(hide, DELAY);
  });
  document.addEventListener("focusin", ({ target }) => {
    const term = termAt(target);
    if (term?.matches(":focus-visible") && !byTouch) show(term);
    else if (!term && !note.contains(target)) hide();
  });
  document.addEventListener("pointerdown", ({ target, pointerType }) => {
    byTouch = pointerType === "touch";
    if (!termAt(target) && !note.contains(target)) hide();
  });
  document.addEventListener("keydown", ({ key }) => {
    byTouch = false;
    if (key === "Escape") hide();
  });
  document.addEventListener("click", (event) => {
    const term = termAt(event.target);
    if (!term || !byTouch || term === tapped) return;
    event.preventDefault();
    hide();
    tapped = term;
    show(term);
  });
})();
