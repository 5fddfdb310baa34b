// Code that is wider than the screen scrolls on its own. Tab reaches it, and its edge fades until its end is seen.
{
  function update(code) {
    const hidden = code.scrollWidth - code.clientWidth;
    code.toggleAttribute("data-more", hidden - code.scrollLeft > 1);
    if (hidden > 1) code.tabIndex = 0;
    else code.removeAttribute("tabindex");
  }
  const resized = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target);
  });
  for (const code of document.querySelectorAll("article pre")) {
    resized.observe(code);
    code.addEventListener("scroll", () => update(code), { passive: true });
  }
}
