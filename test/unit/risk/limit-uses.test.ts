/** How much of each limit is in use, by the gate's own figures. */
import { expect, test } from 'vitest';
import type { BotSettings } from '../../../src/domain/bot-settings.ts';
import { limitUsesOf } from '../../../src/risk/limit-uses.ts';
import { goodBid, holdOrder, lots, nowMs, openFacts, settings, ticks } from './open-gate.ts';

const all = settings as unknown as Pick<BotSettings, 'limits' | 'strategies'>;

function useOf(facts: ReturnType<typeof openFacts>, key: string, scope?: string) {
  const found = limitUsesOf(all, facts).filter(
    (one) => one.key === key && (scope === undefined || one.scope === scope),
  );
  expect(found, key).toHaveLength(1);
  return found[0];
}

test('every limit and budget of the settings is listed, and each once', () => {
  const uses = limitUsesOf(all, openFacts());
  const names = uses.map(({ key, scope }) => `${key} ${scope}`);
  expect(new Set(names).size).toBe(names.length);
  const { account, eachStrategy, pairs } = all.limits;
  const inYaml = (name: string): string => name.replace(/MsMax$/u, 'Max');
  for (const name of Object.keys(account).filter((one) => one !== 'onLoss'))
    expect(
      names.some((one) => one.startsWith(`limits.account.${inYaml(name)}`)),
      name,
    ).toBe(true);
  for (const name of Object.keys(eachStrategy))
    for (const { id } of all.strategies)
      expect(
        names.some((one) => one.startsWith(`limits.eachStrategy.${name}`) && one.endsWith(id)),
        name,
      ).toBe(true);
  for (const name of Object.keys(pairs['XBTZAR'] ?? {}))
    expect(names).toContain(`limits.pairs.XBTZAR.${inYaml(name)} XBTZAR`);
  expect(names).toContain('strategies.mm.budget.ZAR mm');
  // Every figure is known here, except those of single orders and the ratios of few orders.
  const unknown = uses.filter(({ used, isPerOrder }) => used === null && !isPerOrder);
  expect(unknown.map(({ key, scope }) => `${key} ${scope}`)).toEqual([
    'limits.eachStrategy.cancelShareMax mm',
    'limits.eachStrategy.ordersPerFillMax mm',
    'limits.eachStrategy.cancelShareMax other',
    'limits.eachStrategy.ordersPerFillMax other',
  ]);
});

test('open orders use value, position, budget, count and rate', () => {
  const facts = openFacts();
  holdOrder(facts, 'a', {});
  holdOrder(facts, 'b', { side: 'ASK', volume: lots(200) });
  expect(useOf(facts, 'limits.account.openNotionalMax.ZAR')).toEqual({
    ...{ key: 'limits.account.openNotionalMax.ZAR', scope: 'bot', unit: 'ZAR' },
    ...{ used: '30000', max: '50000', share: 0.6, isPerOrder: false },
  });
  expect(useOf(facts, 'limits.account.turnoverDayMax.ZAR')).toMatchObject({ used: '30000' });
  expect(useOf(facts, 'limits.pairs.XBTZAR.positionBaseMax')).toMatchObject({
    ...{ used: '0.02', max: '0.05', share: 0.4, unit: 'XBT' },
  });
  expect(useOf(facts, 'strategies.mm.budget.ZAR')).toMatchObject({ used: '10000' });
  expect(useOf(facts, 'strategies.mm.budget.XBT')).toMatchObject({ used: '0.02', share: 0.25 });
  expect(useOf(facts, 'strategies.other.budget.ZAR')).toMatchObject({ used: '0', share: 0 });
  expect(useOf(facts, 'limits.account.ordersOpenMax')).toMatchObject({ used: '2', share: 0.4 });
  expect(useOf(facts, 'limits.account.ordersPerMinuteMax')).toMatchObject({ used: '2' });
  expect(useOf(facts, 'limits.eachStrategy.ordersPerMinuteMax', 'mm')).toMatchObject({ used: '2' });
  expect(useOf(facts, 'limits.eachStrategy.ordersPerMinuteMax', 'other')).toMatchObject({
    used: '0',
  });
});

test('the age of the oldest order, and the ratios of many orders', () => {
  const facts = openFacts();
  for (let order = 0; order < 120; order++)
    holdOrder(facts, `o${order}`, { price: ticks(99 + order) });
  holdOrder(facts, 'again', { price: ticks(99) });
  const { exposure } = facts;
  const activity = exposure.activity.of('mm');
  for (let cancel = 0; cancel < 30; cancel++) activity.cancels.add(nowMs);
  for (let fill = 0; fill < 4; fill++) activity.fills.add(nowMs);
  facts.nowMs += 1_000;
  expect(useOf(facts, 'limits.account.orderAgeMax')).toMatchObject({ used: '1000', unit: 'ms' });
  expect(useOf(facts, 'limits.eachStrategy.cancelShareMax', 'mm')?.used).toBe('0.2479');
  expect(useOf(facts, 'limits.eachStrategy.ordersPerFillMax', 'mm')?.used).toBe('30.25');
  expect(useOf(facts, 'limits.eachStrategy.fills.max', 'mm')).toMatchObject({ used: '4' });
});

test('an order that rests alone uses no limit of identical orders', () => {
  const facts = openFacts();
  holdOrder(facts, 'o1', {});
  expect(useOf(facts, 'limits.eachStrategy.identical.max', 'mm')).toMatchObject({
    ...{ used: null, max: String(all.limits.eachStrategy.identical.max), share: 0 },
    isPerOrder: true,
  });
});

test('a loss counts from the trades of the day, and is not known without a mid', () => {
  const facts = openFacts();
  const fill = { ...goodBid, key: 'f', hold: undefined, volume: lots(100), timeMs: nowMs };
  facts.exposure.fill({ ...fill, value: 101_000_000 * 100, feeBase: 0n, feeCounter: 0n });
  expect(useOf(facts, 'limits.account.lossDayMax.ZAR')).toMatchObject({ used: '100' });
  expect(useOf(facts, 'limits.account.drawdownMax.ZAR')).toMatchObject({ used: '100' });
  const pair = facts.pairs.get('XBTZAR');
  if (pair !== undefined) pair.bookUsable = false;
  expect(useOf(facts, 'limits.account.lossDayMax.ZAR')).toMatchObject({ used: null, share: 0 });
});
