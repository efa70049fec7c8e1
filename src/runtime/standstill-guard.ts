/**
 * Ends this process when something in it never returns. A thread of its own looks, since the one
 * that loops cannot: when no beat comes for the grace, it writes so and kills the process.
 */
import { Worker } from 'node:worker_threads';

/** Says that work goes on, and where it is. */
export type Beat = (nowMicros: number) => void;

/** What the thread is given; both arrays have one element, and are shared. */
export type StandstillWatch = {
  /** The message's beginning; the time of the last beat follows. */
  readonly what: string;
  readonly graceMs: number;
  readonly count: Int32Array;
  readonly nowMicros: Float64Array;
};

/**
 * Does `work`, which is given the beat; it is looked at from the first beat on. `graceMs` is longer
 * than anything between two beats may take.
 */
export async function withStandstillGuard<Value>(
  { what, graceMs }: Pick<StandstillWatch, 'what' | 'graceMs'>,
  work: (beat: Beat) => Promise<Value>,
): Promise<Value> {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const nowMicros = new Float64Array(new SharedArrayBuffer(8));
  const watch: StandstillWatch = { what, graceMs, count, nowMicros };
  const thread = new Worker(new URL('./standstill-thread.ts', import.meta.url), {
    workerData: watch,
    // Those of the process are about its own script.
    execArgv: [],
  });
  try {
    return await work((atMicros) => {
      nowMicros[0] = atMicros;
      Atomics.add(count, 0, 1);
    });
  } finally {
    await thread.terminate();
  }
}
