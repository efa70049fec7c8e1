/**
 * A repeating timer on virtual time. It emits as RxJS's `interval` does, which passes each value
 * through more functions.
 */
import { Observable } from 'rxjs';
import { refuseArgument } from './argument.ts';
import type { VirtualScheduler } from './virtual-scheduler.ts';

/** Emits 0, 1, 2 and so on, every `intervalMs`; throws RangeError for less than 1 ms. */
export function every(intervalMs: number, scheduler: VirtualScheduler): Observable<number> {
  if (!(Number.isFinite(intervalMs) && intervalMs >= 1))
    refuseArgument(['context.every', 'intervalMs'], 'at least 1 ms', intervalMs);
  return new Observable((subscriber) => {
    let count = 0;
    return scheduler.schedule(function () {
      subscriber.next(count++);
      // Without effect if the value made its subscriber leave.
      this.schedule(undefined, intervalMs);
    }, intervalMs);
  });
}
