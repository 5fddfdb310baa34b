// What a cell prints, shows and draws, in place of what the page showed there before.

const ICONS = { right: "✓", "not yet": "✗", "not attempted": "…" };

// Starts the output of a cell anew. The old one stays until something takes its place, so that nothing jumps.
export function output(cell, connect) {
  let place = cell.node.querySelector(".cell_output");
  if (!place) {
    place = Object.assign(document.createElement("div"), { className: "cell_output docutils container" });
    cell.bar.after(place);
  }
  const figure = place.querySelector("figure");
  const oldPicture = (figure ?? place).querySelector("img");
  const oldWidget = place.querySelector(":scope > .pla-widget, :scope > .output > .pla-widget");
  place.style.minHeight = `${place.offsetHeight}px`;
  place.classList.add("live-old");
  let isFresh = false;
  let stream = null;
  function put(node) {
    if (!isFresh) place.replaceChildren();
    isFresh = true;
    place.classList.remove("live-old");
    stream = null;
    place.append(node);
    return node;
  }
  function block(kind, text) {
    const outer = document.createElement("div");
    outer.className = `output ${kind} highlight-myst-ansi notranslate`;
    outer.innerHTML = '<div class="highlight"><pre></pre></div>';
    const pre = outer.querySelector("pre");
    pre.textContent = text;
    put(outer);
    return pre;
  }

  const show = {
    stream(name, text) {
      if (stream?.name !== name) stream = { name, pre: block(name === "stderr" ? "stderr" : "stream", "") };
      const kept = stream;
      kept.pre.append(text);
      stream = kept;
    },
    text: (text) => block("text_plain", text),
    error({ name, text, line }) {
      const stopped = line ? `Stopped at line ${line}.` : "Stopped.";
      const broken =
        cell.isClaims && name === "AssertionError" ? "This claim is about the code as it is printed.\n\n" : "";
      block("traceback live-error", name === "KeyboardInterrupt" ? stopped : broken + text);
    },
    html(text) {
      put(Object.assign(document.createElement("div"), { className: "output text_html", innerHTML: text }));
    },
    // A figure keeps its caption and number. Its description is that of the printed one, as long as the code is.
    figure({ wide, narrow }) {
      const picture = document.createElement("picture");
      const address = (svg) => URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
      const source = document.createElement("source");
      if (narrow) Object.assign(source, { media: "(max-width: 600px)", srcset: address(narrow) });
      const image = document.createElement("img");
      const isPrinted = cell.source === cell.original && oldPicture;
      Object.assign(image, {
        src: address(wide),
        alt: isPrinted ? oldPicture.alt : "A figure drawn by your code",
      });
      picture.append(...(narrow ? [source] : []), image);
      if (!figure) return put(picture);
      const caption = figure.querySelector("figcaption");
      if (caption) caption.hidden = !isPrinted; // it tells of the printed figure
      figure.querySelector("picture, img")?.remove();
      figure.prepend(picture);
      put(figure);
    },
    // A widget takes the place of the printed one: its size, the links in the text that set it, and what is remembered.
    async widget({ id, state }) {
      const box = oldWidget ?? Object.assign(document.createElement("div"), { className: "pla-widget" });
      box.classList.add("live-widget");
      put(box);
      const model = await globalThis.plaWidgetHost.show(state, box, (changes) => connect.send(id, changes));
      connect.receive(id, model.accept);
    },
    // The message of a check, as a result with an icon.
    verdict({ kind, text }) {
      const box = Object.assign(document.createElement("div"), { className: "live-verdict" });
      box.dataset.kind = kind;
      const icon = Object.assign(document.createElement("span"), { className: "live-icon", textContent: ICONS[kind] });
      icon.ariaHidden = "true";
      const [, verdict, reason] = text.match(/^(.*?\.)(.*)$/s); // "not yet." or "right, on all 5 trials.", and why
      const title = document.createElement("strong");
      title.textContent = verdict[0].toUpperCase() + verdict.slice(1);
      const words = Object.assign(document.createElement("p"), { textContent: reason });
      words.prepend(title);
      box.append(icon, words);
      put(box);
      const before = [...place.querySelectorAll(":scope > .live-verdict")].at(-2);
      if (before) before.after(box);
      else place.prepend(box); // before all that the answer prints
    },
    end() {
      if (!isFresh) place.replaceChildren();
      place.classList.remove("live-old");
      place.style.minHeight = "";
    },
  };
  return show;
}
