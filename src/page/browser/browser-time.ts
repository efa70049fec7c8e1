/** The only clock and timers of the page: for what people see, never to decide anything. */

/** The clock of this browser, which may differ from the bot's. */
export function browserNowMs(): number {
  return Date.now();
}

/** Calls `run` once after `ms`; the result cancels it. */
export function after(ms: number, run: () => void): () => void {
  const id = setTimeout(run, ms);
  return () => clearTimeout(id);
}

/** Calls `run` every `ms`; the result ends it. */
export function every(ms: number, run: () => void): () => void {
  const id = setInterval(run, ms);
  return () => clearInterval(id);
}

/** Returns a function that has `run` called once at the next frame, however often it is called. */
export function oncePerFrame(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      run();
    });
  };
}
