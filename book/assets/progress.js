// What this browser remembers of the book, in its own storage: {version: 1, pages: {page: {key: values}}}. Of the keys
// of a page, "1", "2", ... are its widgets, "seen" has a bit for each tenth that was on the screen, "tested" says that
// the self-test is done, "code" is what was typed into cells and "exercises" those answered. What cannot be read counts
// as nothing; where the browser stores nothing, nothing else changes.
(() => {
  const KEY = "perceptron-progress";
  const LIMIT = 500_000; // characters; a browser has room for ten times as many
  const ALL = 2 ** 10 - 1; // the ten bits of a page that was seen from top to end

  // "lectures/02_pla": the same from every page, on every host and in a folder.
  const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href).pathname;
  const nameOf = ({ pathname }) => pathname.slice(root.length).replace(/\.html$/, "");
  const page = nameOf(location);

  function stored() {
    try {
      const { version, pages } = JSON.parse(localStorage.getItem(KEY));
      return version === 1 ? { ...pages } : {};
    } catch {
      return {};
    }
  }

  // Where there is no room, the pages written to longest ago lose all but their marks and what was typed.
  function store(pages) {
    for (const name of [...Object.keys(pages), null]) {
      const text = JSON.stringify({ version: 1, pages });
      try {
        if (text.length <= LIMIT) return localStorage.setItem(KEY, text);
      } catch {
        // No room, or no storage at all.
      }
      if (name !== null) {
        const { seen, tested, exercises, code } = pages[name] ?? {};
        pages[name] = { seen, tested, exercises, code };
      }
    }
  }

  // Changes wait a moment, so that a playing widget does not write at every step. Other tabs write too: what they wrote
  // is read again just before.
  let waiting = {};
  let timer = null;
  function flush() {
    clearTimeout(timer);
    timer = null;
    if (!Object.keys(waiting).length) return;
    const pages = stored();
    for (const [name, changes] of Object.entries(waiting)) {
      const known = pages[name];
      delete pages[name]; // the page written to last stands last
      pages[name] = { ...known, ...changes };
    }
    waiting = {};
    store(pages);
    drawMarks();
  }

  const recall = (name, key) => waiting[name]?.[key] ?? stored()[name]?.[key];

  function remember(name, key, values) {
    waiting[name] = { ...waiting[name], [key]: values };
    // A self-test is done when every question has an answer, and stays done when the reader starts again.
    if (values?.tries?.length && values.tries.every((tried) => tried.length)) waiting[name].tested = true;
    timer ??= setTimeout(flush, 300);
  }

  // Forgets everything and returns the function that brings it back.
  function forget() {
    flush();
    clearTimeout(looking);
    looking = null;
    const kept = stored();
    try {
      localStorage.removeItem(KEY);
    } catch {
      // There is nothing to forget.
    }
    drawMarks();
    return () => {
      for (const [name, values] of Object.entries(kept)) waiting[name] = { ...waiting[name], ...values };
      flush();
    };
  }

  // The marks in the contents: a page is read, its self-test done.
  const links = [...document.querySelectorAll(".bd-sidebar-primary nav.bd-links a.reference.internal")];
  function drawMarks() {
    const pages = stored();
    for (const link of links) {
      const { seen, tested } = pages[nameOf(link)] ?? {};
      const names = [tested === true && "self-test done", seen === ALL && "read"].filter(Boolean);
      if ((link.dataset.progress ?? "") === names.join()) continue;
      link.dataset.progress = names.join();
      for (const mark of link.querySelectorAll(".progress-mark")) mark.remove();
      for (const name of names) {
        const kind = name === "read" ? "progress-read" : "progress-tested";
        const text = `role="img" aria-label="${name}" title="${name}"`;
        link.insertAdjacentHTML("beforeend", `<span class="progress-mark ${kind}" ${text}></span>`);
      }
    }
  }

  // A page is read when every tenth of it, and its very end, has been on the screen a second after a scroll began,
  // in as many visits as it takes. So a jump to the end is not reading, nor is flying past; skimming is.
  const article = document.querySelector("article.bd-article");
  let looking = null;
  function look() {
    looking = null;
    if (document.hidden) return;
    const { top, bottom, height } = article.getBoundingClientRect();
    const before = recall(page, "seen");
    let seen = before;
    for (let k = 0; k < 10; k++) {
      const onScreen = top + (k / 10) * height < innerHeight && top + ((k + 1) / 10) * height > 0;
      if (onScreen && (k < 9 || bottom <= innerHeight + 1)) seen |= 1 << k;
    }
    if (seen !== before) remember(page, "seen", seen);
  }

  // The bar: how much of the article has gone by.
  const bar = document.createElement("div");
  bar.className = "progress-line";
  bar.ariaHidden = "true";
  let frame = null;
  function drawBar() {
    frame = null;
    const { top, height } = article.getBoundingClientRect();
    const start = top + scrollY; // the header above the article counts as unread
    const part = scrollY / (start + height - innerHeight);
    bar.style.transform = `scaleX(${height > innerHeight ? Math.min(1, part) : 0})`;
  }

  function onScroll() {
    if (!frame) frame = requestAnimationFrame(drawBar);
    if (!looking) looking = setTimeout(look, 1000);
  }
  if (article && links.some((link) => nameOf(link) === page)) {
    document.body.append(bar);
    for (const event of ["scroll", "resize"]) addEventListener(event, onScroll, { passive: true });
    onScroll();
  }

  // A button forgets at once, says so, and then offers to undo it.
  for (const button of document.querySelectorAll("button.progress-forget")) {
    const name = button.textContent;
    const status = document.createElement("span");
    status.ariaLive = "polite";
    button.before(status, " "); // so that a double click does not undo itself
    let undo = null;
    button.addEventListener("click", () => {
      undo = undo ? undo() : forget();
      button.textContent = undo ? "Undo" : name;
      status.textContent = undo
        ? "Forgotten. This browser no longer remembers anything about this book."
        : "Your progress is back.";
    });
  }

  addEventListener("storage", drawMarks);
  addEventListener("pageshow", drawMarks); // a page that comes back as it was left
  addEventListener("pagehide", flush);
  document.addEventListener("visibilitychange", flush);
  drawMarks();
  globalThis.plaProgress = { page, recall, remember, forget };
})();
