// Marks the section that is being read in the list "On this page". The theme marks a section when its heading comes
// into sight, so on the way up the mark stays behind. Here the section that crosses a line near the top of the screen
// has it.
(() => {
  const links = [...document.querySelectorAll("#on-this-page a")].filter(({ hash }) => hash);
  const places = links.map(({ hash }) =>
    document.getElementById(decodeURIComponent(hash.slice(1))).closest("section, dl"),
  );
  const crossing = new Set(); // sections lie in one another: the last is the innermost
  let marked;

  function mark() {
    const atEnd = scrollY > 0 && innerHeight + scrollY > document.documentElement.scrollHeight - 2;
    const current = links[atEnd ? lastSeen() : places.findLastIndex((place) => crossing.has(place))];
    if (current === marked) return;
    marked = current;
    for (const link of links) {
      link.classList.toggle("active", link === current);
      if (link === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    // The list may be longer than the screen.
    const list = current?.closest(".bd-sidebar-secondary");
    const { top, bottom } = current?.getBoundingClientRect() ?? {};
    if (top < 0 || bottom > innerHeight) list.scrollTop += (top + bottom - innerHeight) / 2;
    for (const entry of document.querySelectorAll("#on-this-page .toc-entry")) {
      entry.classList.toggle("active", Boolean(current) && entry.contains(current));
    }
  }

  // The line does not reach short sections at the end of the page. There the section that was asked for has the mark as
  // long as it can be seen, and else the last one.
  function lastSeen() {
    const asked = links.findIndex(({ hash }) => hash === location.hash);
    const top = places[asked]?.getBoundingClientRect().top;
    return top >= 0 && top < innerHeight ? asked : links.length - 1;
  }

  const line = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) crossing[isIntersecting ? "add" : "delete"](target);
      mark();
    },
    { rootMargin: "-25% 0px -74%" },
  );
  for (const place of places) line.observe(place);
  for (const event of ["scroll", "hashchange"]) addEventListener(event, mark, { passive: true });
})();
