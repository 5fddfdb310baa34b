// A formula wider than the screen scrolls by itself; let the keyboard reach it then, and only then.
function reachable() {
  for (const formula of document.querySelectorAll("div.math")) {
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  }
}
addEventListener("load", reachable);
addEventListener("resize", reachable);
