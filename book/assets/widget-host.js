// Runs the page's widgets with no kernel: https://anywidget.dev/en/afm/ describes what a widget's module offers. The
// page holds each widget's state as the notebook left it. A widget starts when it comes near the screen; until then,
// and where no script runs, the reader sees its picture and sentence.
(() => {
  const source = document.currentScript?.src;
  const states = {};
  for (const script of document.querySelectorAll('script[type="application/vnd.jupyter.widget-state+json"]'))
    Object.assign(states, JSON.parse(script.textContent).state);

  // A widget's values, with the part of ipywidgets' model that its script uses. `save` takes what the reader changes.
  function makeModel(values, save = () => {}) {
    const listeners = {};
    let unsaved = {};
    // Puts a value in, as Python does, and tells the widget.
    function accept(name, value) {
      values[name] = value;
      for (const event of [`change:${name}`, "change"]) for (const listen of listeners[event] ?? []) listen();
    }
    return {
      accept,
      get: (name) => values[name],
      set(name, value) {
        if (values[name] === value) return;
        unsaved[name] = value;
        accept(name, value);
      },
      save_changes() {
        save(unsaved);
        unsaved = {};
      },
      send() {},
      on(event, listen) {
        listeners[event] ??= new Set();
        listeners[event].add(listen);
      },
      off: (event, listen) => listeners[event]?.delete(listen),
    };
  }

  // The module and the style of widgets, from files (book/extensions/widget_scripts.py) that put them into `parts`.
  const parts = {};
  const fetched = {};
  function fetchPart(part) {
    fetched[part] ??= new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: new URL(`widgets/${part}`, source) });
      script.onload = () => resolve(parts[part.split(".")[0]]);
      script.onerror = () => reject(new Error(`The widget's script ${part} cannot be loaded.`));
      document.head.append(script);
    });
    return fetched[part];
  }

  // Draws the widget with this state in `place` and returns its model. The stand-in stays, hidden, for print.
  const styles = new Set();
  async function show({ _parts, _esm, _css, ...values }, place, save) {
    const found = _parts ? await Promise.all(_parts.map(fetchPart)) : [{ _esm, _css }];
    for (const { _css: textContent } of found) {
      if (!textContent || styles.has(textContent)) continue;
      styles.add(textContent);
      document.head.append(Object.assign(document.createElement("style"), { textContent }));
    }
    const module = found.map((part) => part._esm).join("\n");
    const address = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
    const widget = (await import(address)).default;
    URL.revokeObjectURL(address);
    const model = makeModel(values, save);
    const el = document.createElement("div");
    el.dataset.widget = places.indexOf(place) + 1 || "";
    await widget.initialize?.({ model });
    const stop = await widget.render({ model, el });
    for (const old of place.querySelectorAll(":scope > [data-widget]")) old.remove();
    stops.get(place)?.(); // a cell that is run again draws its widget anew
    stops.set(place, stop);
    models.set(place, model);
    for (const standIn of place.querySelectorAll(".pla-fallback")) standIn.hidden = true;
    place.append(el);
    return model;
  }

  // The widgets of the page, numbered from 1 in the order in which they stand; `models` has those that were started.
  const places = [...document.querySelectorAll(".pla-widget")];
  const models = new Map();
  const stops = new Map();
  function start(place) {
    if (!models.has(place)) {
      const view = place.querySelector('script[type="application/vnd.jupyter.widget-view+json"]');
      models.set(place, show(states[JSON.parse(view.textContent).model_id].state, place));
    }
    return models.get(place);
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

  // Links in the text set widgets through this, and the tests show widgets of their own.
  globalThis.plaWidgetHost = { makeModel, models, parts, show, start };
})();
