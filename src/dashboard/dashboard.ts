/**
 * Serves a bot's page from a thread of its process.
 *
 * Invariant: whatever happens to the thread, the bot goes on; its end is reported once.
 */
import { Worker } from 'node:worker_threads';
import { moduleEnding } from '../runtime/module-ending.ts';
import type { DashboardOptions, OpenDashboard } from './server/dashboard-server.ts';

/** Bounds what a history or a flood of requests can take; the rest of the process has its own. */
const heapMegabytesMax = 256;

export type ThreadMessage =
  | ({ readonly kind: 'open' } & Omit<OpenDashboard, 'close'>)
  | { readonly kind: 'failed' | 'warning'; readonly text: string };

export type DashboardListener = {
  readonly onOpen: (open: Omit<OpenDashboard, 'close'>) => void;
  /** Called once if the page is not served, or no longer. */
  readonly onEnd: (reason: string) => void;
  readonly onWarning: (text: string) => void;
};

export type Dashboard = {
  /** Resolves when the page is open or its thread has ended. */
  readonly settled: Promise<void>;
  /** From now on the thread does not keep the process alive. */
  letGo(): void;
  close(): Promise<void>;
};

export function startDashboard(options: DashboardOptions, listener: DashboardListener): Dashboard {
  const file = new URL(`./dashboard-thread${moduleEnding}`, import.meta.url);
  const thread = new Worker(file, {
    workerData: options,
    // The arguments and secrets of the process are not for this thread.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
  });
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  let isEnded = false;
  const end = (reason: string): void => {
    resolve();
    if (isEnded) return;
    isEnded = true;
    listener.onEnd(reason);
  };
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'open') {
      listener.onOpen(message);
      resolve();
    } else if (message.kind === 'warning') listener.onWarning(message.text);
    else end(message.text);
  });
  thread.on('error', (error) => end(error instanceof Error ? error.message : String(error)));
  thread.on('exit', (code) => end(`its thread ended with ${code}`));
  return {
    settled,
    letGo: () => thread.unref(),
    close: async () => {
      isEnded = true;
      await thread.terminate();
    },
  };
}
