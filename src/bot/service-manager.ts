/**
 * Reports the bot's health to systemd: ready once it has reconciled and every book is usable, alive
 * while it processes events and its books are fresh.
 *
 * systemd listens on a datagram socket, which Node cannot write to, so `systemd-notify` is run
 * instead. The unit therefore needs `NotifyAccess=all`. Without NOTIFY_SOCKET this does nothing.
 */
import { spawn } from 'node:child_process';
import type { Cancel, Timers } from '../runtime/timers.ts';

const checkEveryMs = 1_000;
const statusEveryMs = 30_000;
/** If an event has waited longer than this, in milliseconds, the bot is considered hung. */
export const waitingMsMax = 5_000;

export type ServiceState = {
  readonly isReconciled: boolean;
  readonly areBooksUsable: boolean;
  /** How long the oldest event has been waiting. */
  readonly waitingMs: number;
  readonly text: string;
};

export type ServiceOptions = {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly timers: Timers;
  readonly stateOf: () => ServiceState;
  /** Called once if systemd cannot be notified. */
  readonly onProblem: (text: string) => void;
};

export type Service = {
  /** Reports that the bot is stopping, and ends the watchdog pings. */
  stopping(): void;
  close(): void;
};

/** Starts reporting. Without a service manager, the returned object does nothing. */
export function watchService(options: ServiceOptions): Service {
  const { environment, timers, stateOf } = options;
  if (environment['NOTIFY_SOCKET'] === undefined) return { stopping: () => {}, close: () => {} };
  const notify = notifierOf(options);
  const pingEveryMs = pingEveryMsOf(environment);
  let isReady = false;
  let pingInMs = 0;
  let statusInMs = 0;
  const check = (): void => {
    const { isReconciled, areBooksUsable, waitingMs, text } = stateOf();
    const isAlive = areBooksUsable && waitingMs <= waitingMsMax;
    const messages: string[] = [];
    if (!isReady && isReconciled && isAlive) {
      isReady = true;
      messages.push('READY=1');
    }
    pingInMs -= checkEveryMs;
    if (isReady && isAlive && pingEveryMs !== undefined && pingInMs <= 0) {
      pingInMs = pingEveryMs;
      messages.push('WATCHDOG=1');
    }
    statusInMs -= checkEveryMs;
    if (messages.includes('READY=1') || statusInMs <= 0) {
      statusInMs = statusEveryMs;
      messages.push(`STATUS=${text}`);
    }
    if (messages.length > 0) notify(messages);
  };
  const cancel: Cancel = timers.every(checkEveryMs, check, { unref: true });
  return {
    stopping: () => {
      cancel();
      notify([
        'STOPPING=1',
        'STATUS=stopping: cancelling the orders and checking that none is open',
      ]);
    },
    close: cancel,
  };
}

/** A third of WATCHDOG_USEC, systemd's limit, so that two pings may be late; in milliseconds. */
function pingEveryMsOf(environment: ServiceOptions['environment']): number | undefined {
  const text = environment['WATCHDOG_USEC'] ?? '';
  if (!/^[1-9]\d{0,14}$/u.test(text)) return undefined;
  return Math.max(checkEveryMs, Number.parseInt(text, 10) / 3_000);
}

function notifierOf({
  environment,
  onProblem,
}: ServiceOptions): (messages: readonly string[]) => void {
  let isReported = false;
  const report = (why: string): void => {
    if (isReported) return;
    isReported = true;
    onProblem(`the service manager cannot be notified: systemd-notify ${why}`);
  };
  return (messages) => {
    // Only the variables that the program needs: our environment may contain the API key.
    const env = {
      PATH: environment['PATH'] ?? '',
      NOTIFY_SOCKET: environment['NOTIFY_SOCKET'] ?? '',
    };
    const child = spawn('systemd-notify', [...messages], { env, stdio: 'ignore' });
    child.unref();
    child.once('error', (error: NodeJS.ErrnoException) => report(`cannot be run (${error.code})`));
    child.once('exit', (code) => {
      if (code !== 0 && code !== null) report(`ended with exit code ${code}`);
    });
  };
}
