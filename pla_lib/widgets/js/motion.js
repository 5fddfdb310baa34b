// Motion: what changes moves, and ends exactly at the numbers it was given. Readers who ask for less see the end.

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)");

export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// The share of the way from `start` to `end` that t has gone, slow at both ends.
export function phase(t, start = 0, end = 1) {
  const share = clamp((t - start) / (end - start), 0, 1);
  return share * share * (3 - 2 * share);
}

// Between two numbers, or two lists of numbers. At t = 1 it is `to` itself, not something that rounds to it.
export function mix(from, to, t) {
  if (t === 1) return to;
  return Array.isArray(to) ? to.map((value, k) => mix(from[k], value, t)) : from + (to - from) * t;
}

// Plays one motion at a time. `play` calls drawFrame(t) for t from 0 to 1, and always for t = 1 at last. A motion that
// has not ended when the next begins, jumps to its end first, so that no step is lost.
export function motion() {
  let request = null;
  let unfinished = null;
  function finish() {
    cancelAnimationFrame(request);
    const drawFrame = unfinished;
    unfinished = null;
    drawFrame?.(1);
  }
  function play(milliseconds, drawFrame) {
    finish();
    if (!milliseconds || reducedMotion().matches || document.hidden) return drawFrame(1);
    unfinished = drawFrame;
    let start = null;
    function next(now) {
      start ??= now;
      const t = (now - start) / milliseconds;
      if (t >= 1) return finish();
      drawFrame(t);
      request = requestAnimationFrame(next);
    }
    drawFrame(0);
    request = requestAnimationFrame(next);
  }
  return { play, finish, isPlaying: () => unfinished !== null };
}
