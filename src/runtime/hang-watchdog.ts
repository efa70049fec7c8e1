/**
 * Ends this process when code in it never returns. A separate thread watches for heartbeats: when
 * there is none for the grace period, it prints a message and kills the process.
 *
 * A thread takes as long to start as a short backtest, so one that has nothing to watch any more is
 * kept for the next watchdog of this process.
 */
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { moduleEnding } from './module-ending.ts';
import { isScreenShown } from './terminal-device.ts';

/** Reports that work continues, and the time that it has reached. */
export type Heartbeat = (nowMicros: number) => void;

export type HangWatchdogOptions = {
  /** The beginning of the message; the time of the last heartbeat follows. */
  readonly what: string;
  readonly graceMs: number;
};

/** What a thread watches; the arrays are shared and have one element. */
export type Watch = HangWatchdogOptions & {
  readonly count: Int32Array;
  /** Time of the last heartbeat; NaN while a plugin is loaded, when there is no time. */
  readonly nowMicros: Float64Array;
  /** See {@link isScreenShown}. */
  readonly isScreenShown: Int32Array;
};

const turnEveryMs = 100;

/** Threads that watch nothing. */
const idle: Worker[] = [];

/**
 * Runs `work`, which must call its heartbeat. The watchdog starts at the first heartbeat and allows
 * at most `graceMs` between two of them.
 */
export async function withHangWatchdog<Value>(
  options: HangWatchdogOptions,
  work: (beat: Heartbeat) => Promise<Value>,
): Promise<Value> {
  // A debugger stops the code on purpose.
  if (debuggerUrl() !== undefined) return work(() => {});
  const { beat, end } = startWatch(options);
  try {
    return await work(beat);
  } finally {
    end();
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
  if (debuggerUrl() !== undefined) return work();
  const { beat, end } = startWatch(options);
  const turn = (): void => beat(Number.NaN);
  turn();
  const turns = setInterval(turn, turnEveryMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(turns);
    end();
  }
}

function startWatch(options: HangWatchdogOptions): {
  readonly beat: Heartbeat;
  readonly end: () => void;
} {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const nowMicros = new Float64Array(new SharedArrayBuffer(8));
  const thread = idle.pop() ?? startThread();
  // A message reaches the thread even if this one hangs.
  thread.postMessage({ ...options, count, nowMicros, isScreenShown } satisfies Watch);
  const beat: Heartbeat = (atMicros) => {
    nowMicros[0] = atMicros;
    // Only this thread writes, so the thread that reads sees each new number sooner or later.
    count[0] = (count[0] as number) + 1;
  };
  const end = (): void => {
    thread.postMessage(undefined);
    idle.push(thread);
  };
  return { beat, end };
}

function startThread(): Worker {
  const file = new URL(`./hang-watchdog-thread${moduleEnding}`, import.meta.url);
  const thread = new Worker(file, {
    // The arguments of the process are for its own script.
    execArgv: [],
  });
  // The thread must not keep the process alive: if a plugin waits for something that never happens,
  // the process ends and reports it, as without the watchdog.
  thread.unref();
  return thread;
}
