/**
 * Ends this process when something in it never returns. A thread of its own looks, since the one
 * that loops cannot: when no beat comes for the grace, it writes so and kills the process.
 */
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** Says that work goes on, and where it is. */
export type Beat = (nowMicros: number) => void;

export type StandstillOptions = {
  /** The message's beginning; the time of the last beat follows. */
  readonly what: string;
  readonly graceMs: number;
};

/** What the thread is given; both arrays have one element, and are shared. */
export type StandstillWatch = StandstillOptions & {
  readonly count: Int32Array;
  /** Not a number while a plugin is loaded, which has no time. */
  readonly nowMicros: Float64Array;
};

const turnEveryMs = 100;

/**
 * Does `work`, which is given the beat; it is looked at from the first beat on. `graceMs` is longer
 * than anything between two beats may take.
 */
export async function withStandstillGuard<Value>(
  options: StandstillOptions,
  work: (beat: Beat) => Promise<Value>,
): Promise<Value> {
  const { beat, end } = startThread(options);
  try {
    return await work(beat);
  } finally {
    await end();
  }
}

/**
 * Does `work`, which loads plugins and asks them, and is looked at from its beginning on. It is not
 * work that is bounded but one stretch of it: the loop turns while a file is read, so that none but
 * a plugin's own code can keep it for `graceMs`, however long the rest takes.
 */
export async function withTurnGuard<Value>(
  options: StandstillOptions,
  work: () => Promise<Value>,
): Promise<Value> {
  // Who debugs stops the loop on purpose.
  if (debuggerUrl() !== undefined) return work();
  const { beat, end } = startThread(options);
  const turn = (): void => beat(Number.NaN);
  turn();
  const turns = setInterval(turn, turnEveryMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(turns);
    await end();
  }
}

function startThread(options: StandstillOptions): {
  readonly beat: Beat;
  readonly end: () => Promise<unknown>;
} {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const nowMicros = new Float64Array(new SharedArrayBuffer(8));
  const watch: StandstillWatch = { ...options, count, nowMicros };
  const thread = new Worker(new URL('./hang-watchdog-thread.ts', import.meta.url), {
    workerData: watch,
    // Those of the process are about its own script.
    execArgv: [],
  });
  // A plugin that waits for what never comes ends the process, as without us; that is told.
  thread.unref();
  const beat: Beat = (atMicros) => {
    nowMicros[0] = atMicros;
    Atomics.add(count, 0, 1);
  };
  const end = (): Promise<number> => {
    thread.ref();
    return thread.terminate();
  };
  return { beat, end };
}
