/**
 * Serves a bot's page from a thread of its process.
 *
 * Invariant: whatever happens to the thread, the bot goes on; that it is started again, and that it
 * is given up, is reported once.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../runtime/clock.ts';
import { moduleEnding } from '../runtime/module-ending.ts';
import type { Timers } from '../runtime/timers.ts';
import type { DashboardOptions, OpenDashboard } from './server/dashboard-server.ts';

/** Bounds what a history or a flood of requests can take; the rest of the process has its own. */
const heapMegabytesMax = 256;

export type ThreadMessage =
  | ({ readonly kind: 'open' } & Omit<OpenDashboard, 'close'>)
  | { readonly kind: 'failed' | 'warning'; readonly text: string };

export type DashboardListener = {
  /** Called once, when the page is served for the first time. */
  readonly onOpen: (open: Omit<OpenDashboard, 'close'>) => void;
  /** Called once if the page is not served, or no longer: it is not started again. */
  readonly onEnd: (reason: string) => void;
  readonly onWarning: (text: string) => void;
};

export type Dashboard = {
  /** Resolves when the page is open or given up. */
  readonly settled: Promise<void>;
  /** From now on the thread does not keep the process alive. */
  letGo(): void;
  close(): Promise<void>;
};

/** How often a thread that dies is started again; the pause before it doubles each time. */
const restartsMax = 5;
const pauseMs = 1_000;
/** The death of a thread that has lived for longer is counted as the first one. */
const steadyMs = 600_000;

/** Serves the page. A thread that dies is started again, a few times, at the same port. */
export function startDashboard(
  options: DashboardOptions,
  listener: DashboardListener,
  { clock, timers }: { readonly clock: Pick<Clock, 'monotonicMicros'>; readonly timers: Timers },
): Dashboard {
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  const nowMs = () => clock.monotonicMicros() / 1_000;
  let { port } = options.settings;
  let [isOpened, isLetGo, isClosed] = [false, false, false];
  let [restarts, startedMs] = [0, 0];
  let cancel = (): void => {};
  let thread = start();

  function start(): Worker {
    startedMs = nowMs();
    const own = { ...options, settings: { ...options.settings, port } };
    const started = startThread(own, { onOpen, onWarning: listener.onWarning, onEnd });
    if (isLetGo) started.unref();
    return started;
  }

  function onOpen(open: Omit<OpenDashboard, 'close'>): void {
    if (!isOpened) listener.onOpen(open);
    isOpened = true;
    port = Number.parseInt(new URL(open.address).port, 10);
    resolve();
  }

  function onEnd(reason: string, isRefused: boolean): void {
    if (isClosed) return;
    if (nowMs() - startedMs >= steadyMs) restarts = 0;
    // What the system or a file refuses at the start, it would refuse again.
    const isFinal = restarts >= restartsMax || (isRefused && !isOpened);
    if (isFinal) {
      resolve();
      const often = restarts === 0 ? '' : `after ${restarts} restarts: `;
      listener.onEnd(`${often}${reason}`);
      return;
    }
    restarts++;
    if (restarts === 1)
      listener.onWarning(`the server of the page has ended and is started again: ${reason}`);
    const again = () => {
      thread = start();
    };
    cancel = timers.after(pauseMs * 2 ** (restarts - 1), again, { unref: true });
  }

  return {
    settled,
    letGo: () => {
      isLetGo = true;
      thread.unref();
    },
    close: async () => {
      isClosed = true;
      cancel();
      await thread.terminate();
    },
  };
}

function startThread(
  options: DashboardOptions,
  listener: Pick<DashboardListener, 'onOpen' | 'onWarning'> & {
    /** `isRefused`: it could not open the server. */
    readonly onEnd: (reason: string, isRefused: boolean) => void;
  },
): Worker {
  const file = new URL(`./dashboard-thread${moduleEnding}`, import.meta.url);
  const thread = new Worker(file, {
    workerData: options,
    // The arguments and secrets of the process are not for this thread.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
  });
  let isEnded = false;
  const end = (reason: string, isRefused = false): void => {
    if (isEnded) return;
    isEnded = true;
    listener.onEnd(reason, isRefused);
  };
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'open') listener.onOpen(message);
    else if (message.kind === 'warning') listener.onWarning(message.text);
    else end(message.text, true);
  });
  thread.on('error', (error) => end(error instanceof Error ? error.message : String(error)));
  thread.on('exit', (code) => end(`its thread ended with ${code}`));
  return thread;
}
