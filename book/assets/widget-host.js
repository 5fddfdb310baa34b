// Runs the page's widgets with no kernel: https://anywidget.dev/en/afm/ describes what a widget's module offers.
// A widget's state, as the notebook left it, stands in the page. A widget starts when it nears the screen; until then, and
// where no script runs, its picture and sentence are there.
(() => {
  const states = {};
  for (const script of document.querySelectorAll('script[type="application/vnd.jupyter.widget-state+json"]'))
    Object.assign(states, JSON.parse(script.textContent).state);

  function makeModel(values) {
    const listeners = {};
    return {
      get: (name) => values[name],
      set(name, value) {
        if (values[name] === value) return;
        values[name] = value;
        for (const event of [`change:${name}`, "change"]) for (const listen of listeners[event] ?? []) listen();
      },
      save_changes() {},
      send() {},
      on: (event, listen) => (listeners[event] ??= new Set()).add(listen),
      off: (event, listen) => listeners[event]?.delete(listen),
    };
  }

  const styles = new Set();
  async function start(place) {
    const id = JSON.parse(
      place.querySelector('script[type="application/vnd.jupyter.widget-view+json"]').textContent,
    ).model_id;
    const { _esm, _css, ...values } = states[id].state;
    if (_css && !styles.has(_css)) {
      styles.add(_css);
      document.head.append(Object.assign(document.createElement("style"), { textContent: _css }));
    }
    const address = URL.createObjectURL(new Blob([_esm], { type: "text/javascript" }));
    const widget = (await import(address)).default;
    URL.revokeObjectURL(address);
    const model = makeModel(values),
      el = document.createElement("div");
    await widget.initialize?.({ model });
    await widget.render({ model, el });
    place.replaceChildren(el);
  }

  const nearing = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        nearing.unobserve(target);
        start(target);
      }
    },
    { rootMargin: "300px" },
  );
  document.querySelectorAll(".pla-widget").forEach((place) => nearing.observe(place));
})();
