// The widget at the head of a chapter gets what the first screen leaves. Where it begins was measured while the page
// arrived; the text above it may have broken anew since then.
const head = document.querySelector(".pla-widget.pla-head");
if (head) {
  const measure = () => head.style.setProperty("--top", `${head.getBoundingClientRect().top + scrollY}px`);
  document.fonts.ready.then(measure);
  addEventListener("resize", measure);
}

// Words in a sentence that set a widget (book/extensions/jump_links.py): with scripts they are a link to it.
for (const link of document.querySelectorAll("a.jump")) {
  const { widget, values } = link.dataset;
  const place = document.querySelectorAll(".pla-widget")[widget - 1];
  place.id ||= `widget-${widget}`;
  link.href = `#${place.id}`;
  // The link itself scrolls to the widget, and the browser's Back returns to the sentence.
  link.addEventListener("click", async () => {
    const host = globalThis.plaWidgetHost;
    const model = await (host.models.get(place) ?? host.start(place));
    for (const [name, value] of Object.entries(JSON.parse(values))) model.set(name, value);
    model.save_changes();
  });
}
