/** `millrace watchdog`: watches a bot's process, and cancels its orders if it dies or hangs. */

import { requirePrivateHome } from '../../bot/guards/private-home.ts';
import { credentialsOf } from '../../bot/keys/bot-credentials.ts';
import { panicOrders } from '../../bot/panic/panic-orders.ts';
import { type PanicTarget, targetOfConfig } from '../../bot/panic/panic-target.ts';
import { Watchdog } from '../../bot/panic/watchdog.ts';
import { truePathOf } from '../../bot/state-place.ts';
import { type Lease, leasePathOf, readLease } from '../../control/lease.ts';
import { ConfigError } from '../../domain/errors.ts';
import { isLoopback } from '../../domain/this-machine.ts';
import { CancelProgress } from '../../execution/reconcile/cancel-progress.ts';
import { createClock } from '../../runtime/clock.ts';
import { processIdentityOf } from '../../runtime/process-identity.ts';
import { watchSignals } from '../../runtime/signals.ts';
import { createTimers } from '../../runtime/timers.ts';
import { openDatabaseReadOnly } from '../../store/open-database.ts';
import { isStoreLocked } from '../../store/store-lock.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import type { BotCommandOptions } from '../bot-argument.ts';

const checkEveryMs = 1_000;
const reportEveryMs = 5_000;

export type WatchdogCommandOptions = BotCommandOptions & {
  /** How long a hung process may live after the first 15 s, in milliseconds. */
  readonly graceMs: number;
  readonly environment: { readonly [name: string]: string | undefined };
};

/**
 * Watches until a signal; returns the exit code. Throws NotFoundError if the bot's database does
 * not exist, ConfigError if it belongs to another bot: the watchdog would then guard nothing.
 */
export async function runWatchdog(options: WatchdogCommandOptions): Promise<number> {
  const { output, environment } = options;
  const target = targetOfConfig(options.config, options.home, options.workspace);
  requirePrivateHome(target.home);
  checkNamespace(target);
  const isSimulated = isLoopback(target.venue);
  // Read now, so that a missing key is noticed at the start and not in an emergency.
  const credentials = credentialsOf(environment, isSimulated ? 'demo' : 'live', target.home);
  output.hide([{ id: credentials.keyId, secret: credentials.keySecret }]);
  const clock = createClock();
  const timers = createTimers();
  let mustWatch = true;
  const unwatch = watchSignals({
    stop: () => {
      mustWatch = false;
    },
    force: () => process.exit(exitCodes.error),
    fatal: (error) => {
      output.problem(error);
      process.exit(exitCodes.error);
    },
  });
  const watchdog = new Watchdog(options.graceMs);
  const configured = target.store ?? '';
  output.line(
    `watchdog of ${configured}, namespace ${target.namespace}; ${processText(configured)}`,
  );
  while (mustWatch) {
    const store = truePathOf(configured);
    const lease = readLease(leasePathOf(store));
    const isLocked = isStoreLocked(store);
    const isAlive = lease !== undefined && processIdentityOf(lease.pid) === lease.process;
    const nowMs = clock.monotonicMicros() / 1000;
    const step = watchdog.look({ nowMs, lease, isLocked, isAlive });
    if (step === 'kill' && lease !== undefined) {
      output.line(`! process ${lease.pid} holds the lock but hangs: killing it`);
      kill(lease);
    }
    if (step === 'clear' && lease !== undefined) {
      output.line(`! process ${lease.pid} is dead: cancelling its orders`);
      const isClean = await cancelOrders(target, lease, {
        credentials,
        output,
        mayGoOn: () => mustWatch && !isStoreLocked(store) && isSame(lease, store),
      });
      if (isClean) watchdog.noteCleared(lease);
    }
    await new Promise<void>((resolve) => timers.after(checkEveryMs, resolve));
  }
  unwatch();
  return exitCodes.ok;
}

/** Throws ConfigError unless the database belongs to the bot of the settings. */
function checkNamespace({ store = '', namespace }: PanicTarget): void {
  const database = openDatabaseReadOnly(truePathOf(store));
  try {
    const sql = `SELECT value FROM meta WHERE name = 'namespace'`;
    const found = database.prepare<[], string>(sql).pluck().get();
    if (found === namespace) return;
    throw new ConfigError(
      `${store} belongs to namespace "${found ?? ''}", but the configuration has "${namespace}": ` +
        'give the home of this bot with --home',
    );
  } finally {
    database.close();
  }
}

function processText(configured: string): string {
  const store = truePathOf(configured);
  const lease = readLease(leasePathOf(store));
  if (lease === undefined) return 'no bot is running, and none has left orders';
  return isStoreLocked(store)
    ? `process ${lease.pid} is running`
    : `process ${lease.pid} has ended`;
}

async function cancelOrders(
  { namespace, venue }: PanicTarget,
  lease: Lease,
  options: {
    readonly credentials: { readonly keyId: string; readonly keySecret: string };
    readonly output: Output;
    readonly mayGoOn: () => boolean;
  },
): Promise<boolean> {
  const { credentials, output, mayGoOn } = options;
  const clock = createClock();
  const progress = new CancelProgress(reportEveryMs);
  try {
    const { isClean, stopsSent } = await panicOrders({
      venue: isLoopback(venue) ? { ...venue, baseUrl: lease.baseUrl } : venue,
      credentials,
      namespace,
      timers: createTimers(),
      mayGoOn,
      tell: (now) => {
        const line = progress.lineOf(now, clock.monotonicMicros() / 1000);
        if (line !== undefined) output.line(`! ${line}`);
      },
    });
    output.line(
      isClean
        ? `! no order is open, as two lists in a row show; ${stopsSent} cancels were sent`
        : '! a bot has taken over, or the watchdog was asked to stop: no more orders are cancelled',
    );
    return isClean;
  } catch (error) {
    output.problem(error);
    return false;
  }
}

function kill({ pid, process: identity }: Lease): void {
  // Checked again, because another process may have got the process id in the meantime.
  if (processIdentityOf(pid) !== identity) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Whether the lease is still the same; a bot that started in the meantime has another one. */
function isSame(lease: Lease, store: string): boolean {
  return readLease(leasePathOf(store))?.process === lease.process;
}
