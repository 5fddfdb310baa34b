// A picture that fills its box: drawn anew, for the box's own size, whenever that changes.

import { element } from "./dom.js";

// `build({ width, height })` makes the picture for a size in css pixels and returns { node, extras, draw, stop }:
// `node` is an svg, `extras` are nodes that lie over it (points.js), `stop` ends what listens. The picture's own `draw`
// takes the same arguments; before the box has a size, and while it is hidden, it only keeps them. `rebuild` makes the
// picture anew, for when the part of the plane in view changes.
export function fittedPicture(build) {
  const box = element("div", { class: "pla-picture" });
  let size = "";
  let now = null;
  let kept = null;
  function draw(...values) {
    kept = values;
    return now?.draw(...values);
  }
  function fit(isForced = false) {
    const { clientWidth: width, clientHeight: height } = box;
    if (!width || !height || (size === `${width} ${height}` && !isForced)) return;
    size = `${width} ${height}`;
    now?.stop?.();
    now = build({ width, height });
    box.replaceChildren(now.node, ...(now.extras ?? []));
    if (kept) now.draw(...kept);
  }
  const watch = new ResizeObserver(() => fit());
  watch.observe(box);
  function stop() {
    watch.disconnect();
    now?.stop?.();
  }
  return { node: box, draw, now: () => now, rebuild: () => fit(true), stop };
}
