/** What a watchdog does, second by second, depending on what it observes. */
import { describe, expect, test } from 'vitest';
import { Watchdog, type WatchdogStep, type WatchdogView } from '../../../src/bot/panic/watchdog.ts';

const lease = { process: '7 1', pid: 7, beat: 3, baseUrl: 'http://127.0.0.1:1' };
const dead = { lease, isLocked: false, isAlive: false };

/** Looks once a second, from `fromS` on; returns the steps that are not `wait`, with their second. */
function watch(
  watchdog: Watchdog,
  seconds: number,
  view: (second: number) => Omit<WatchdogView, 'nowMs'>,
  fromS = 0,
): [number, WatchdogStep][] {
  const steps: [number, WatchdogStep][] = [];
  for (let second = fromS; second < fromS + seconds; second++) {
    const step = watchdog.look({ nowMs: second * 1000, ...view(second) });
    if (step !== 'wait') steps.push([second, step]);
  }
  return steps;
}

describe('a watchdog', () => {
  test('waits while the lease is renewed, whether the lock is held or not', () => {
    const steps = watch(new Watchdog(30_000), 200, (second) => ({
      ...dead,
      lease: { ...lease, beat: Math.floor(second / 5) },
    }));
    expect(steps).toEqual([]);
  });

  test('stops the orders of a dead bot once its lease is older than 15 s, until none is open', () => {
    const watchdog = new Watchdog(30_000);
    expect(watch(watchdog, 18, () => dead)).toEqual([
      [16, 'clear'],
      [17, 'clear'],
    ]);
    watchdog.noteCleared(lease);
    expect(watch(watchdog, 100, () => dead, 18)).toEqual([]);
  });

  test('leaves the orders to a bot that holds the lock and has not yet written its own lease', () => {
    const starting = { lease, isLocked: true, isAlive: false };
    expect(watch(new Watchdog(1_000), 300, () => starting)).toEqual([]);
  });

  test('kills a process that holds the lock and hangs, after the grace period', () => {
    const hanging = { lease, isLocked: true, isAlive: true };
    expect(watch(new Watchdog(30_000), 47, () => hanging)).toEqual([[46, 'kill']]);
  });

  test('does nothing for a bot that ended normally', () => {
    const ended = { lease: undefined, isLocked: false, isAlive: false };
    expect(watch(new Watchdog(0), 300, () => ended)).toEqual([]);
  });

  test('does not mistake a suspended machine for a dead bot', () => {
    const watchdog = new Watchdog(30_000);
    const stopped = { lease, isLocked: true, isAlive: true };
    expect(watch(watchdog, 5, () => stopped)).toEqual([]);
    // Six hours later both wake up, the watchdog first.
    expect(watch(watchdog, 10, () => stopped, 21_600)).toEqual([]);
  });
});
