/**
 * Counts in the call budget the regular reads that a bot at a real exchange makes, for a run whose
 * exchange delivers what they would find. Only a budget with a limit needs them.
 */
import type { Signal } from './procedure.ts';

/** The call budget forgets calls that were sent earlier than this. */
const budgetMicros = 60_000_000;
/** While orders need the calls, only one of so many passes is made. */
const busyPasses = 5;

/** A pass that is made again and again, and how many calls it needs. */
export type RegularPass = {
  readonly periodMs: number;
  readonly calls: number;
  /** Whether most passes are left out while orders need the calls. */
  readonly yields: boolean;
};

/** The part of the call budget that is needed here. */
export type CountedCalls = {
  readonly nowMicros: number;
  /** Raised before the budget is used. */
  readonly orderCalled: Signal;
  readonly hasRoomForReads: boolean;
  countOtherCalls(timesMicros: readonly number[]): void;
};

/** From now on, counts the passes since `startedMicros` whenever the budget is used. */
export function countSkippedReads(
  calls: CountedCalls,
  startedMicros: number,
  passes: readonly RegularPass[],
): void {
  let countedMicros = startedMicros;
  const count = (): void => {
    const { nowMicros } = calls;
    const afterMicros = Math.max(countedMicros, nowMicros - budgetMicros) - startedMicros;
    countedMicros = nowMicros;
    const times = passes.flatMap(({ periodMs, calls: callsEach, yields }) => {
      const step = yields && !calls.hasRoomForReads ? busyPasses : 1;
      const periodMicros = periodMs * 1000 * step;
      const made: number[] = [];
      let atMicros = (Math.floor(afterMicros / periodMicros) + 1) * periodMicros;
      for (; startedMicros + atMicros <= nowMicros; atMicros += periodMicros)
        for (let call = 0; call < callsEach; call++) made.push(startedMicros + atMicros);
      return made;
    });
    if (times.length > 0) calls.countOtherCalls(times);
  };
  const waiter = {
    onSignal: (): void => {
      // A signal forgets its waiters when it is raised.
      calls.orderCalled.subscribe(waiter);
      count();
    },
  };
  calls.orderCalled.subscribe(waiter);
}
