/**
 * Tells the service manager how the bot is: ready once it has reconciled and every book can be
 * used, alive while its loop moves and its books are fresh.
 *
 * The manager listens at a datagram socket, which Node cannot write to; its own program
 * `systemd-notify` can. So the unit needs `NotifyAccess=all`. Without NOTIFY_SOCKET nothing is
 * done.
 */
import { spawn } from 'node:child_process';
import type { Cancel, Timers } from '../runtime/timers.ts';

const lookEveryMs = 1_000;
const statusEveryMs = 30_000;
/** A loop that has left an event waiting for so long does not move. */
export const waitingMsMax = 5_000;

export type ServiceState = {
  readonly isReconciled: boolean;
  readonly areBooksUsable: boolean;
  readonly waitingMs: number;
  /** One line. */
  readonly text: string;
};

export type ServiceOptions = {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly timers: Timers;
  readonly stateOf: () => ServiceState;
  /** Told once if the manager cannot be told. */
  readonly onProblem: (text: string) => void;
};

export type Service = {
  /** The bot is stopping; it is pinged for no longer. */
  stopping(): void;
  close(): void;
};

/** Begins to tell; what it returns does nothing where no manager listens. */
export function watchService(options: ServiceOptions): Service {
  const { environment, timers, stateOf } = options;
  if (environment['NOTIFY_SOCKET'] === undefined) return { stopping: () => {}, close: () => {} };
  const notify = notifierOf(options);
  const pingEveryMs = pingEveryMsOf(environment);
  let isReady = false;
  let pingInMs = 0;
  let statusInMs = 0;
  const look = (): void => {
    const { isReconciled, areBooksUsable, waitingMs, text } = stateOf();
    const isAlive = areBooksUsable && waitingMs <= waitingMsMax;
    const words: string[] = [];
    if (!isReady && isReconciled && isAlive) {
      isReady = true;
      words.push('READY=1');
    }
    pingInMs -= lookEveryMs;
    if (isReady && isAlive && pingEveryMs !== undefined && pingInMs <= 0) {
      pingInMs = pingEveryMs;
      words.push('WATCHDOG=1');
    }
    statusInMs -= lookEveryMs;
    if (words.includes('READY=1') || statusInMs <= 0) {
      statusInMs = statusEveryMs;
      words.push(`STATUS=${text}`);
    }
    if (words.length > 0) notify(words);
  };
  const cancel: Cancel = timers.every(lookEveryMs, look, { unref: true });
  return {
    stopping: () => {
      cancel();
      notify(['STOPPING=1', 'STATUS=stopping: orders are cancelled and checked to be gone']);
    },
    close: cancel,
  };
}

/** The manager waits for WATCHDOG_USEC; a third of it leaves room for two pings that are late. */
function pingEveryMsOf(environment: ServiceOptions['environment']): number | undefined {
  const text = environment['WATCHDOG_USEC'] ?? '';
  if (!/^[1-9]\d{0,14}$/u.test(text)) return undefined;
  return Math.max(lookEveryMs, Number.parseInt(text, 10) / 3_000);
}

function notifierOf({
  environment,
  onProblem,
}: ServiceOptions): (words: readonly string[]) => void {
  let isTold = false;
  const tell = (why: string): void => {
    if (isTold) return;
    isTold = true;
    onProblem(`the service manager cannot be told how the bot is: systemd-notify ${why}`);
  };
  return (words) => {
    // Only what the program needs: the key may be in our environment.
    const env = {
      PATH: environment['PATH'] ?? '',
      NOTIFY_SOCKET: environment['NOTIFY_SOCKET'] ?? '',
    };
    const child = spawn('systemd-notify', [...words], { env, stdio: 'ignore' });
    child.unref();
    child.once('error', (error: NodeJS.ErrnoException) => tell(`cannot be run (${error.code})`));
    child.once('exit', (code) => {
      if (code !== 0 && code !== null) tell(`ended with ${code}`);
    });
  };
}
