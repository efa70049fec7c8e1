/**
 * The times of a cron pattern on virtual time.
 *
 * Invariants: a period is emitted at most once for as long as the strategy's state is kept; of
 * several missed periods, only the last is emitted; a new pattern has no missed periods.
 */
import { Cron } from 'croner';
import { Observable } from 'rxjs';
import { refuseArgument } from './argument.ts';
import type { VirtualScheduler } from './virtual-scheduler.ts';

/** Returns the last time of `job` in (afterMs, untilMs], or undefined. */
function lastPeriodMs(job: Cron, afterMs: number, untilMs: number): number | undefined {
  // croner looks strictly before its reference and works in whole seconds.
  const reference = new Date((Math.floor(untilMs / 1_000) + 1) * 1_000);
  const lastMs = job.previousRuns(1, reference)[0]?.getTime();
  return lastMs !== undefined && lastMs > afterMs && lastMs <= untilMs ? lastMs : undefined;
}

const epoch = new Date(0);

function checkSchedule(cron: unknown, zone: unknown): void {
  if (!isValid(cron, 'UTC'))
    refuseArgument(['context.schedule', 'cron'], 'a cron pattern such as "0 9 * * *"', cron);
  // Without a zone, croner uses the machine's.
  if (zone === '' || !isValid(cron, zone))
    refuseArgument(['context.schedule', 'zone'], 'an IANA time zone such as "UTC"', zone);
}

function isValid(cron: unknown, zone: unknown): boolean {
  if (typeof cron !== 'string' || typeof zone !== 'string') return false;
  try {
    new Cron(cron, { timezone: zone, paused: true }).nextRun(epoch);
    return true;
  } catch {
    return false;
  }
}

/** Returns the periods of `cron` in `zone` from subscription on. Throws RangeError for others. */
export function periods(source: {
  readonly cron: string;
  readonly zone: string;
  readonly scheduler: VirtualScheduler;
  /** The last period emitted, in ISO 8601; undefined if there was none. */
  readonly last: () => string | undefined;
  /** Called before each emission. */
  readonly seen: (period: string) => void;
}): Observable<{ readonly period: string }> {
  const { scheduler } = source;
  checkSchedule(source.cron, source.zone);
  return new Observable((subscriber) => {
    // Without a callback, croner only computes: it starts no timer and reads no clock.
    const job = new Cron(source.cron, { timezone: source.zone, paused: true });
    const last = source.last();
    let afterMs = last === undefined ? scheduler.now() : Date.parse(last);

    const wait = (fromMs: number): number | undefined => job.nextRun(new Date(fromMs))?.getTime();
    const firstMs = wait(afterMs);
    if (firstMs === undefined) return;
    subscriber.add(
      scheduler.schedule<undefined>(
        function (this) {
          const nowMs = scheduler.now();
          const periodMs = lastPeriodMs(job, afterMs, nowMs);
          if (periodMs !== undefined) {
            afterMs = periodMs;
            const period = new Date(periodMs).toISOString();
            source.seen(period);
            subscriber.next(Object.freeze({ period }));
          }
          const nextMs = wait(Math.max(afterMs, nowMs));
          if (nextMs !== undefined && !subscriber.closed) this.schedule(undefined, nextMs - nowMs);
        },
        Math.max(0, firstMs - scheduler.now()),
      ),
    );
  });
}
