/** Converts plans of the exchange API for the wallet API. */
import { expect, test } from 'vitest';
import type { Plan } from '../../../../../../src/venues/luno/simulator/core/plan.ts';
import { refuse } from '../../../../../../src/venues/luno/simulator/core/refusal.ts';
import { mapPlan } from '../../../../../../src/venues/luno/simulator/wallet/map-plan.ts';

const toId = ({ id }: { readonly id: string }): string => `made ${id}`;

test('an answer is converted; the answer of a change only once the change runs', () => {
  expect(mapPlan({ kind: 'answer', answer: { id: '1' } }, toId)).toEqual({
    kind: 'answer',
    answer: 'made 1',
  });
  let changes = 0;
  const plan = mapPlan({ kind: 'change', change: () => ({ id: String(++changes) }) }, toId);
  expect(changes).toBe(0);
  expect(plan.kind === 'change' && plan.change()).toBe('made 1');
});

test('a refusal stays a refusal, before a change and as its result', () => {
  const refusal = refuse('ErrBlocked', 'blocked');
  expect(mapPlan(refusal as Plan<{ id: string }>, toId)).toBe(refusal);
  const plan = mapPlan<{ id: string }, string>({ kind: 'change', change: () => refusal }, toId);
  expect(plan.kind === 'change' && plan.change()).toBe(refusal);
});
