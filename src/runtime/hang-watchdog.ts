/**
 * Ends this process when code in it never returns. A separate thread watches for heartbeats: when
 * there is none for the grace period, it prints a message and kills the process.
 */
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** Reports that work continues, and the time that it has reached. */
export type Heartbeat = (nowMicros: number) => void;

export type HangWatchdogOptions = {
  /** The beginning of the message; the time of the last heartbeat follows. */
  readonly what: string;
  readonly graceMs: number;
};

/** The data of the thread; both arrays are shared and have one element. */
export type WatchdogThreadData = HangWatchdogOptions & {
  /** Number of heartbeats. */
  readonly count: Int32Array;
  /** Time of the last heartbeat; NaN while a plugin is loaded, when there is no time. */
  readonly nowMicros: Float64Array;
};

const turnEveryMs = 100;

/**
 * Runs `work`, which must call its heartbeat. The watchdog starts at the first heartbeat and allows
 * at most `graceMs` between two of them.
 */
export async function withHangWatchdog<Value>(
  options: HangWatchdogOptions,
  work: (beat: Heartbeat) => Promise<Value>,
): Promise<Value> {
  const { beat, end } = startThread(options);
  try {
    return await work(beat);
  } finally {
    await end();
  }
}

/**
 * Runs `work`, which loads and calls plugins, and watches it from its start. Its total time is not
 * limited, only the time for which it blocks the event loop. The loop turns while files are read,
 * so only a plugin's own code can block it for `graceMs`.
 */
export async function withEventLoopWatchdog<Value>(
  options: HangWatchdogOptions,
  work: () => Promise<Value>,
): Promise<Value> {
  // A debugger stops the loop on purpose.
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

function startThread(options: HangWatchdogOptions): {
  readonly beat: Heartbeat;
  readonly end: () => Promise<unknown>;
} {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const nowMicros = new Float64Array(new SharedArrayBuffer(8));
  const data: WatchdogThreadData = { ...options, count, nowMicros };
  const thread = new Worker(new URL('./hang-watchdog-thread.ts', import.meta.url), {
    workerData: data,
    // The arguments of the process are for its own script.
    execArgv: [],
  });
  // The thread must not keep the process alive: if a plugin waits for something that never happens,
  // the process ends and reports it, as without the watchdog.
  thread.unref();
  const beat: Heartbeat = (atMicros) => {
    nowMicros[0] = atMicros;
    // Only this thread writes, so the thread that reads sees each new number sooner or later.
    count[0] = (count[0] as number) + 1;
  };
  const end = (): Promise<number> => {
    thread.ref();
    return thread.terminate();
  };
  return { beat, end };
}
