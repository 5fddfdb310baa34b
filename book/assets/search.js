// The book's search: what it finds, in which order, and how that is shown. Loaded together with its index
// (searchindex.js, written by book/extensions/search_index.py) when a reader first goes to a search field. It is no
// module, because a page that was opened as a file could not load it.
(() => {
  const { pages, entries, same, common } = window.bookIndex;

  // How much a match counts: by what it was found in,
  const KINDS = { chapter: 2, section: 1.4, box: 1.2, word: 0.8, page: 0.7, solution: 0.6, name: 0.1 };
  const HEADING = 8;
  const TITLE = 3; // of the page
  const LONG = 120; // words: the more there are in a text, the less one of them says
  // and by how well it fits.
  const SAME = 0.7; // another word for it
  const BEGUN = 0.8; // a longer word that begins so: the reader is still typing
  const MAYBE_BEGUN = 0.4; // where the shorter one is a word, too
  const MISSPELT = 0.6;
  const WORTH = 0.08; // of the best: what counts less is not shown

  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const wordsOf = (text) => fold(text).match(/[\p{L}\p{N}_]+(?:\.\p{N}+)*/gu) ?? [];
  // Converge, converges and convergence are one word. What is left of it need not be one, but must always be the same.
  const stem = (word) =>
    word
      .replace(/iz(?=e|ing|ation)/, "is")
      .replace(/ies$/, "y")
      .replace(/(?<=.{2}(s|x|ch|sh))es$/, "")
      .replace(/(?<=..[^s])s$/, "")
      .replace(/(?<=...)(at(ion|e|ed|ing)|ab(le|ility)|[ae]nce|ing|ed|e)$/, "");
  const commonWords = new Set(wordsOf(common));
  function telling(words) {
    const some = words.filter((word) => !commonWords.has(word));
    return some.length ? some : words;
  }
  const phraseOf = (text) => ` ${telling(wordsOf(text)).map(stem).join(" ")} `;

  // For every stem the entries that use it, and how much these uses count; and every word with its stem.
  const uses = new Map();
  const stems = new Map();
  function add(words, entry, count) {
    for (const word of words.flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : word))) {
      if (!stems.has(word)) stems.set(word, stem(word));
      const places = uses.get(stems.get(word)) ?? new Map();
      uses.set(stems.get(word), places.set(entry, (places.get(entry) ?? 0) + count));
    }
  }
  entries.forEach(([page, , , heading, text], entry) => {
    const [inHeading, inTitle, inText] = [telling(wordsOf(heading)), telling(wordsOf(pages[page][1])), wordsOf(text)];
    add(inHeading, entry, HEADING / Math.sqrt(inHeading.length));
    add(inTitle, entry, TITLE / Math.sqrt(inTitle.length));
    add(inText, entry, 1 / (0.4 + (0.6 * inText.length) / LONG));
  });
  const synonyms = new Map();
  for (const group of same.map((words) => words.map(stem))) for (const word of group) synonyms.set(word, group);

  // Whether one letter too many, missing, wrong, or swapped with the next is all that tells two words apart.
  function nearly(a, b) {
    let k = 0;
    while (k < a.length && a[k] === b[k]) k++;
    const [c, d] = [a.slice(k), b.slice(k)];
    const swapped = c[0] === d[1] && c[1] === d[0] && c.slice(2) === d.slice(2);
    return swapped || c.slice(1) === d || c === d.slice(1) || c.slice(1) === d.slice(1);
  }

  // The stems that a word of the query may stand for, each with how well it fits.
  function meanings(word, last) {
    const found = new Map();
    const offer = (other, fit) => uses.has(other) && found.set(other, Math.max(fit, found.get(other) ?? 0));
    for (const other of synonyms.get(stem(word)) ?? []) offer(other, SAME);
    offer(stem(word), 1);
    const fit = found.size ? MAYBE_BEGUN : BEGUN;
    if (last) for (const [other, itsStem] of stems) if (other.startsWith(word)) offer(itsStem, fit);
    if (!found.size && word.length > 3) {
      for (const [other, itsStem] of stems) if (nearly(word, other)) offer(itsStem, MISSPELT);
    }
    return found;
  }

  // The entries that match, best first, and the stems that they were found by.
  function search(query) {
    const asked = telling(wordsOf(query));
    const meant = asked.map((word, k) => meanings(word, k === asked.length - 1));
    const scores = new Map();
    asked.forEach((word, k) => {
      const counts = new Map();
      for (const [other, fit] of meant[k]) {
        for (const [entry, count] of uses.get(other)) {
          counts.set(entry, Math.max(fit * count, counts.get(entry) ?? 0));
        }
      }
      const rarity = Math.log(1 + entries.length / (uses.get(stem(word)) ?? counts).size);
      for (const [entry, count] of counts) {
        const { score, matched } = scores.get(entry) ?? { score: 0, matched: 0 };
        scores.set(entry, { score: score + (rarity * count) / (count + 3), matched: matched + 1 });
      }
    });
    const phrase = phraseOf(query);
    const isCode = /[_.(]/.test(query);
    const name = query.trim().replace(/^pla_lib\.(plots\.)?|\(.*$/g, "");
    function ranked([number, { score, matched }]) {
      const [, kind, , heading] = entries[number];
      const itself = phraseOf(heading);
      const bonus = itself === phrase ? 2 : itself.includes(phrase) ? 1.4 : 1;
      const called = isCode && kind === "name" ? (heading === name ? 200 : 20) : 1;
      return { entry: entries[number], score: score * (matched / asked.length) ** 2 * KINDS[kind] * bonus * called };
    }
    const all = [...scores].map(ranked).sort((a, b) => b.score - a.score);
    const found = all.filter(({ score }) => score > WORTH * all[0].score).map(({ entry }) => entry);
    const sure = meant.flatMap((fits) => [...fits].filter(([, fit]) => fit > MAYBE_BEGUN));
    return { found, stems: new Set(sure.map(([stem]) => stem)) };
  }

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const matches = (text, found) => wordsOf(text.replaceAll("_", " ")).some((word) => found.has(stem(word)));

  // The text with the words that were found marked.
  function marked(text, found) {
    const parts = text.split(/([\p{L}\p{N}_]+)/u);
    return parts.map((part, k) => (k % 2 && matches(part, found) ? element("mark", {}, part) : part));
  }

  // Some words around the first that was found.
  function excerpt(text, found) {
    const words = text.split(" ");
    const start = Math.max(0, words.findIndex((word) => matches(word, found)) - 8);
    const end = start + 30;
    return `${start ? "… " : ""}${words.slice(start, end).join(" ")}${end < words.length ? " …" : ""}`;
  }

  // A form shows what it finds as one types: in the dialog as the options of a combobox, on a page as a list of links.
  function connect(form) {
    const input = form.querySelector("input");
    const list = form.querySelector(".search-results");
    const count = form.querySelector(".search-count");
    const dialog = form.closest("dialog");
    const most = dialog ? 8 : 50;
    let chosen = -1;

    function result([page, , anchor, heading, text], number, stems) {
      const [address, title] = pages[page];
      const href = document.documentElement.dataset.content_root + address + (anchor && `#${anchor}`);
      const role = dialog
        ? { role: "option", id: `search-option-${number}`, tabindex: -1, "aria-selected": false }
        : {};
      const place = anchor ? [element("span", { class: "search-place" }, title)] : [];
      const link = element(
        "a",
        { href, ...role },
        element("span", { class: "search-heading" }, ...marked(anchor ? heading : title, stems)),
        ...place,
        element("span", { class: "search-text" }, ...marked(excerpt(text, stems), stems)),
      );
      link.addEventListener("click", () => dialog?.close());
      return element("li", dialog ? { role: "none" } : {}, link);
    }

    function show() {
      const { found, stems } = search(input.value);
      const shown = found.slice(0, most);
      list.replaceChildren(...shown.map((entry, k) => result(entry, k, stems)));
      list.hidden = !found.length;
      list.scrollTop = 0;
      const results = `${found.length} result${found.length === 1 ? "" : "s"}`;
      count.textContent = !input.value.trim()
        ? ""
        : !found.length
          ? "Nothing found. Try fewer words, or different ones."
          : shown.length < found.length
            ? `The best ${most} of ${results}`
            : results;
      if (dialog) input.setAttribute("aria-expanded", found.length > 0);
      choose(-1);
    }

    function choose(number) {
      chosen = number;
      const options = [...list.querySelectorAll("[role=option]")];
      options.forEach((option, k) => option.setAttribute("aria-selected", k === chosen));
      options[chosen]?.scrollIntoView({ block: "nearest" });
      if (chosen < 0) input.removeAttribute("aria-activedescendant");
      else input.setAttribute("aria-activedescendant", options[chosen].id);
    }

    function steer(event) {
      const options = list.querySelectorAll("a");
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && options.length) {
        choose(chosen < 0 && step < 0 ? options.length - 1 : (chosen + step + options.length) % options.length);
      } else if (event.key === "Enter" && chosen >= 0) {
        options[chosen].click();
      } else return;
      event.preventDefault();
    }

    input.addEventListener("input", show);
    if (dialog) {
      input.addEventListener("keydown", steer);
      input.addEventListener("focus", () => input.select());
    } else input.value ||= new URLSearchParams(location.search).get("q") ?? "";
    if (input.value) show();
  }

  document.querySelectorAll(".bd-search").forEach(connect);
})();
