/**
 * Timers run in the order of a slow obvious list, whatever is scheduled and cancelled in between.
 */
import fc from 'fast-check';
import type { Subscription } from 'rxjs';
import { expect, it } from 'vitest';
import { VirtualScheduler } from '../../../src/strategy/virtual-scheduler.ts';

const step = fc.oneof(
  fc.record({ kind: fc.constant('schedule' as const), delayMs: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(50) }),
  fc.record({ kind: fc.constant('pass' as const), byMs: fc.integer({ min: 0, max: 4 }) }),
);

it('due timers run in order of time, then of scheduling; cancelled ones never', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const scheduler = new VirtualScheduler(0);
      const ran: number[] = [];
      const timers: Subscription[] = [];
      let waiting: { id: number; dueMs: number }[] = [];
      const expected: number[] = [];
      for (const one of steps) {
        if (one.kind === 'schedule') {
          const id = timers.length;
          timers.push(scheduler.schedule(() => ran.push(id), one.delayMs));
          waiting.push({ id, dueMs: scheduler.now() + one.delayMs });
        } else if (one.kind === 'cancel') {
          const id = one.which % Math.max(1, timers.length);
          timers[id]?.unsubscribe();
          waiting = waiting.filter((timer) => timer.id !== id);
        } else {
          scheduler.moveTo(scheduler.now() + one.byMs);
          scheduler.runDue();
          const due = waiting.filter((timer) => timer.dueMs <= scheduler.now());
          due.sort((a, b) => a.dueMs - b.dueMs || a.id - b.id);
          expected.push(...due.map((timer) => timer.id));
          waiting = waiting.filter((timer) => timer.dueMs > scheduler.now());
        }
      }
      expect(ran).toEqual(expected);
      expect(scheduler.size).toBe(waiting.length);
    }),
    { numRuns: 300 },
  );
});
