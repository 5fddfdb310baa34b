// A formula that is wider than the screen scrolls on its own. Then, and only then, Tab must reach it, so that readers
// without a mouse can scroll it too.
function updateTabStops() {
  for (const formula of document.querySelectorAll("div.math")) {
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  }
}
addEventListener("load", updateTabStops);
addEventListener("resize", updateTabStops);
