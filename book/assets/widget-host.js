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

  // What the browser remembers of a widget (progress.js): the values that its model value `state` names, or else its
  // step or its answers. A fingerprint of all the rest keeps a state away from another widget, as after an edit.
  function memoryOf(values, key) {
    const { page, recall, remember } = globalThis.plaProgress;
    const names = values.state ?? ["step", "tries", "current"].filter((name) => name in values);
    const isFixed = (name) => name === "_anywidget_id" || !(/^_|^height$|^layout$/.test(name) || names.includes(name));
    const rest = JSON.stringify(Object.entries(values).filter(([name]) => isFixed(name)));
    let hash = 0;
    for (let k = 0; k < rest.length; k++) hash = Math.imul(hash ^ rest.charCodeAt(k), 0x01000193);
    const widget = (hash >>> 0).toString(36);
    const known = recall(page, key);
    const recalled = names.filter((name) => known?.widget === widget && name in known);
    const pick = (chosen, value) => Object.fromEntries(chosen.map((name) => [name, value(name)]));
    return {
      recalled: pick(recalled, (name) => known[name]),
      follow: (model) => model.on("change", () => remember(page, key, { widget, ...pick(names, model.get) })),
    };
  }

  // Draws the widget with this state in `place`, instead of what is there, and returns its model. With a key, which is
  // its number on the page, the browser remembers it. A share link beats memory: a widget reads it when it is drawn.
  const styles = new Set();
  async function show({ _esm, _css, ...values }, place, key) {
    if (_css && !styles.has(_css)) {
      styles.add(_css);
      document.head.append(Object.assign(document.createElement("style"), { textContent: _css }));
    }
    const address = URL.createObjectURL(new Blob([_esm], { type: "text/javascript" }));
    const widget = (await import(address)).default;
    URL.revokeObjectURL(address);
    const memory = key && globalThis.plaProgress ? memoryOf(values, key) : null;
    async function draw(values) {
      const model = makeModel(values);
      const el = document.createElement("div");
      await widget.initialize?.({ model });
      await widget.render({ model, el });
      place.replaceChildren(el);
      return model;
    }
    // If what was remembered cannot be drawn, the widget starts afresh.
    const model = memory
      ? await draw({ ...values, ...memory.recalled }).catch(() => draw({ ...values }))
      : await draw(values);
    memory?.follow(model);
    return model;
  }

  const places = [...document.querySelectorAll(".pla-widget")];
  function start(place) {
    const view = place.querySelector('script[type="application/vnd.jupyter.widget-view+json"]');
    return show(states[JSON.parse(view.textContent).model_id].state, place, String(places.indexOf(place) + 1));
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
  for (const place of places) nearing.observe(place);

  // The tests show widgets of their own with this same host.
  globalThis.plaWidgetHost = { makeModel, show };
})();
