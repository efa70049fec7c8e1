/** The timer queue compared with a sorted list. */
import { describe, expect, test } from 'vitest';
import { TimerQueue } from '../../../src/engine/timer-queue.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

describe('the timer queue', () => {
  test('runs timers by time, then insertion, and never a cancelled one', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = new SeededRandom(seed);
      const timers = new TimerQueue();
      const ran: number[] = [];
      let waiting: { id: number; due: number }[] = [];
      const numbers = new Map<number, number>();
      for (let id = 0, now = 0; id < 300; id++) {
        const due = now + random.integer(0, 20);
        waiting.push({ id, due });
        numbers.set(id, timers.at(due, { onTime: () => ran.push(id) }));
        if (random.fraction() < 0.2) {
          const gone = random.pick(waiting).id;
          timers.cancel(numbers.get(gone) ?? -1);
          waiting = waiting.filter((one) => one.id !== gone);
        }
        if (random.fraction() < 0.3) {
          now += random.integer(0, 15);
          const due = waiting.filter((one) => one.due <= now).sort((a, b) => a.due - b.due);
          waiting = waiting.filter((one) => one.due > now);
          ran.length = 0;
          timers.runDue(now);
          expect(ran, `seed ${seed}`).toEqual(due.map((one) => one.id));
        }
        const next = Math.min(Infinity, ...waiting.map((one) => one.due));
        expect(timers.nextMicros, `seed ${seed}`).toBe(next);
      }
    }
  });

  test('also runs a timer that a callback adds, if it is due', () => {
    const timers = new TimerQueue();
    const ran: string[] = [];
    timers.at(5, {
      onTime: () => {
        ran.push('first');
        timers.at(5, { onTime: () => ran.push('second') });
        timers.at(6, { onTime: () => ran.push('later') });
      },
    });
    timers.runDue(5);
    expect(ran).toEqual(['first', 'second']);
    expect(timers.nextMicros).toBe(6);
  });
});
