// What is wider than its place scrolls on its own: a formula, code, a table. Then, and only then, Tab must reach it, so
// that readers without a mouse can scroll it too. The observer tells of what is drawn, now or after scrolling or
// turning the phone; to ask all of them at once would lay out the whole page.
const SCROLLERS = "div.math, pre, .cell_output > .output, .pst-scrollable-table-container";
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const scroller of document.querySelectorAll(SCROLLERS)) observer.observe(scroller);
