/**
 * The thread of a bot's page. It shares nothing with the trading loop but these messages, so that
 * no browser, slow reader or long history can delay an order.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { createClock } from '../runtime/clock.ts';
import { createTimers } from '../runtime/timers.ts';
import type { ThreadMessage } from './dashboard.ts';
import { type DashboardOptions, openDashboard } from './server/dashboard-server.ts';

function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

const parts = {
  clock: createClock(),
  timers: createTimers(),
  warn: (text: string) => tell({ kind: 'warning', text }),
};

try {
  const { address, takenPort, commandToken } = await openDashboard(
    workerData as DashboardOptions,
    parts,
  );
  tell({ kind: 'open', address, takenPort, commandToken });
} catch (error) {
  tell({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
  process.exit();
}
