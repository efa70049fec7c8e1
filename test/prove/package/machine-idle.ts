/** Whether the machine has time for what is measured. */
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** A machine is quiet if its processors were idle for this share of a second in which we wait. */
export const quietIdleShare = 0.9;

/** Waits a second, and returns the share of it in which the processors had nothing to do. */
export async function idleShare(): Promise<number> {
  const before = times();
  await wait(1_000);
  const after = times();
  return (after.idle - before.idle) / (after.all - before.all);
}

function times(): { idle: number; all: number } {
  const all = cpus().map(({ times: one }) => one);
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  return {
    idle: sum(all.map(({ idle }) => idle)),
    all: sum(all.flatMap((one) => Object.values(one))),
  };
}
