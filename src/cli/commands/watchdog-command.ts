/** `millrace watchdog`: runs beside a bot, and stops its orders when it has died or hangs. */
import { requirePrivateHome } from '../../bot/guards/private-home.ts';
import { credentialsOf } from '../../bot/keys/bot-credentials.ts';
import { panicOrders } from '../../bot/panic/panic-orders.ts';
import { type PanicTarget, targetOfConfig } from '../../bot/panic/panic-target.ts';
import { Watchdog } from '../../bot/panic/watchdog.ts';
import { truePathOf } from '../../bot/state-place.ts';
import { isLoopback } from '../../client/address.ts';
import { type Lease, leasePathOf, readLease } from '../../control/lease.ts';
import { ConfigError } from '../../domain/errors.ts';
import { CancelProgress } from '../../execution/reconcile/cancel-progress.ts';
import { createClock } from '../../runtime/clock.ts';
import { processIdentityOf } from '../../runtime/process-identity.ts';
import { watchSignals } from '../../runtime/signals.ts';
import { createTimers } from '../../runtime/timers.ts';
import { openDatabaseReadOnly } from '../../store/open-database.ts';
import { isStoreLocked } from '../../store/store-lock.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';

const lookEveryMs = 1_000;
const tellEveryMs = 5_000;

export type WatchdogVerbOptions = {
  readonly config: string;
  readonly home: string | undefined;
  readonly graceMs: number;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly output: Output;
};

/**
 * Watches until a signal; returns the exit code. Throws NotFoundError if there is no database where
 * the bot's should be, ConfigError if it is another bot's: it would wait for ever and guard nothing.
 */
export async function runWatchdog(options: WatchdogVerbOptions): Promise<number> {
  const { output, environment } = options;
  const target = targetOfConfig(options.config, options.home);
  requirePrivateHome(target.home);
  checkIsOf(target);
  const isSimulated = isLoopback(target.venue);
  // Asked for now: a watchdog without a key must not be found out when it is needed.
  const credentials = credentialsOf(environment, isSimulated ? 'demo' : 'live', target.home);
  output.hide([{ id: credentials.keyId, secret: credentials.keySecret }]);
  const clock = createClock();
  const timers = createTimers();
  let isWanted = true;
  const unwatch = watchSignals({
    stop: () => {
      isWanted = false;
    },
    force: () => process.exit(exitCodes.error),
    fatal: (error) => {
      output.problem(error);
      process.exit(exitCodes.error);
    },
  });
  const watchdog = new Watchdog(options.graceMs);
  const stated = target.store ?? '';
  output.line(`watchdog of ${stated}, namespace ${target.namespace}; ${whoRuns(stated)}`);
  while (isWanted) {
    const store = truePathOf(stated);
    const lease = readLease(leasePathOf(store));
    const isLocked = isStoreLocked(store);
    const isAlive = lease !== undefined && processIdentityOf(lease.pid) === lease.process;
    const nowMs = clock.monotonicMicros() / 1000;
    const step = watchdog.look({ nowMs, lease, isLocked, isAlive });
    if (step === 'kill' && lease !== undefined) {
      output.line(`! process ${lease.pid} holds the lock and does not move: it is killed`);
      kill(lease);
    }
    if (step === 'clear' && lease !== undefined) {
      output.line(`! process ${lease.pid} is dead: its orders are stopped`);
      const isClean = await clear(target, lease, {
        credentials,
        output,
        mayGoOn: () => isWanted && !isStoreLocked(store) && isSame(lease, store),
      });
      if (isClean) watchdog.noteCleared(lease);
    }
    await new Promise<void>((resolve) => timers.after(lookEveryMs, resolve));
  }
  unwatch();
  return exitCodes.ok;
}

/** Reads the database once, since only the bot's own has a lease to look at. */
function checkIsOf({ store = '', namespace }: PanicTarget): void {
  const database = openDatabaseReadOnly(truePathOf(store));
  try {
    const sql = `SELECT value FROM meta WHERE name = 'namespace'`;
    const found = database.prepare<[], string>(sql).pluck().get();
    if (found === namespace) return;
    throw new ConfigError(
      `${store} belongs to namespace "${found ?? ''}", and the configuration's is "${namespace}": ` +
        'name the home of this bot with --home',
    );
  } finally {
    database.close();
  }
}

function whoRuns(stated: string): string {
  const store = truePathOf(stated);
  const lease = readLease(leasePathOf(store));
  if (lease === undefined) return 'no bot runs there now, and none left orders';
  return isStoreLocked(store) ? `process ${lease.pid} runs` : `process ${lease.pid} is not there`;
}

async function clear(
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
  const progress = new CancelProgress(tellEveryMs);
  try {
    const { isClean, stopsSent } = await panicOrders({
      baseUrl: isLoopback(venue) ? lease.baseUrl : venue.baseUrl,
      paths: venue.paths,
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
        ? `! no order is open: two lists in a row show none; ${stopsSent} stops were sent`
        : '! a bot has taken over, or the watchdog is asked to end: nothing more is stopped',
    );
    return isClean;
  } catch (error) {
    output.problem(error);
    return false;
  }
}

function kill({ pid, process: identity }: Lease): void {
  // Looked at once more: between two looks another process may have got the number.
  if (processIdentityOf(pid) !== identity) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** A bot that has come and gone meanwhile has a lease of its own. */
function isSame(lease: Lease, store: string): boolean {
  return readLease(leasePathOf(store))?.process === lease.process;
}
