/** A halt withdraws every order of its scope that has not been sent. */
import { expect, test } from 'vitest';
import type { BotSettings } from '../../../src/domain/bot-settings.ts';
import { RiskEngine, type RiskEngineOptions } from '../../../src/engine/risk-engine.ts';
import { ExecutionFixture, idOf, ok } from '../execution/execution-fixture.ts';
import { goodBid, settings, ticks } from '../risk/open-gate.ts';

test('a halt ends all orders that wait for their calls, and leaves open ones to their cancels', () => {
  const fixture = new ExecutionFixture();
  const open = fixture.place();
  fixture.answer('postorder', ok({ order_id: idOf(open) }));
  fixture.isBudgetFull = true;
  const waiting = [1, 2, 3, 4].map((step) => fixture.place({ price: ticks(goodBid.price - step) }));
  const { orders, executor } = fixture;
  const risk = new RiskEngine({
    ...{ context: fixture, orders, executor, markets: new Map() },
    settings: settings as unknown as BotSettings,
  } as unknown as RiskEngineOptions);
  risk.withdrawUnsent('strategy:other', 'test');
  expect(waiting.map(({ state }) => state)).toEqual(waiting.map(() => 'waiting'));
  risk.withdrawUnsent('bot', 'test');
  expect(waiting.map(({ state }) => state)).toEqual(waiting.map(() => 'unsent'));
  expect(open.state).toBe('open');
});
