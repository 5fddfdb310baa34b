// Runs the page's widgets with no kernel: https://anywidget.dev/en/afm/ describes what a widget's module offers. The
// page holds each widget's state as the notebook left it. A widget starts when it comes near the screen; until then,
// and where no script runs, the reader sees its picture and sentence.
(() => {
  const states = {};
  for (const script of document.querySelectorAll('script[type="application/vnd.jupyter.widget-state+json"]'))
    Object.assign(states, JSON.parse(script.textContent).state);

  // A widget's values, with the part of ipywidgets' model that its script uses.
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
      on(event, listen) {
        listeners[event] ??= new Set();
        listeners[event].add(listen);
      },
      off: (event, listen) => listeners[event]?.delete(listen),
    };
  }

  // Draws the widget with this state in `place`, instead of what is there, and returns its model.
  const styles = new Set();
  async function show({ _esm, _css, ...values }, place) {
    if (_css && !styles.has(_css)) {
      styles.add(_css);
      document.head.append(Object.assign(document.createElement("style"), { textContent: _css }));
    }
    const address = URL.createObjectURL(new Blob([_esm], { type: "text/javascript" }));
    const widget = (await import(address)).default;
    URL.revokeObjectURL(address);
    const model = makeModel(values);
    const el = document.createElement("div");
    await widget.initialize?.({ model });
    await widget.render({ model, el });
    place.replaceChildren(el);
    return model;
  }

  // The model of every widget that has started, by its place; start() starts one that has not.
  const models = new Map();
  function start(place) {
    if (!models.has(place)) models.set(place, showWhatIsThere(place));
    return models.get(place);
  }

  function showWhatIsThere(place) {
    const view = place.querySelector('script[type="application/vnd.jupyter.widget-view+json"]');
    return show(states[JSON.parse(view.textContent).model_id].state, place);
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
  for (const place of document.querySelectorAll(".pla-widget")) nearing.observe(place);

  // Jump links set widgets through their models; the tests show widgets of their own with this same host.
  globalThis.plaWidgetHost = { makeModel, models, show, start };
})();
