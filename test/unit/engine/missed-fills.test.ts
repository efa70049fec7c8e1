/** Fills that a strategy has not handled survive a restart. */
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.ts';
import type { EngineContext } from '../../../src/engine/engine-context.ts';
import { MissedFills } from '../../../src/engine/missed-fills.ts';
import { fillOf, lots } from '../strategy/host-fixture.ts';

/** A context that keeps stored states and incidents in memory. */
function memory() {
  const states = new Map<string, string>();
  const incidents: string[] = [];
  const context = {
    keepRiskState: (name: string, state: string) => states.set(name, state),
    incident: (code: string, text: string) => incidents.push(`${code}: ${text}`),
  } as unknown as EngineContext;
  const stored = () => [...states].map(([name, state]) => ({ name, state }));
  return { context, incidents, stored };
}

const counter = new Decimal(0);
const missed = (volume: number, booked = true) => ({
  pair: 'XBTZAR',
  fill: fillOf({ volume: lots(volume), booked, fees: { base: new Decimal('0.1'), counter } }),
});

test('are kept for each strategy until they are taken, also over a restart', () => {
  const { context, stored } = memory();
  const first = new MissedFills(context, []);
  first.add('mm', missed(1));
  first.add('other', missed(2));
  // A provisional fill: it comes again when it is booked.
  first.add('mm', missed(3, false));
  first.add('mm', missed(4));
  const second = new MissedFills(context, [{ name: 'peak ZAR', state: '{}' }, ...stored()]);
  expect(second.take('mm')).toEqual([missed(1), missed(4)]);
  expect(second.take('mm')).toEqual([]);
  const third = new MissedFills(context, stored());
  expect(third.take('mm')).toEqual([]);
  expect(third.take('other')).toEqual([missed(2)]);
});

test('keeps the newest 1,000; one incident reports that older ones are dropped', () => {
  const { context, incidents } = memory();
  const fills = new MissedFills(context, []);
  for (let volume = 1; volume <= 1_003; volume++) fills.add('mm', missed(volume));
  const kept = fills.take('mm').map(({ fill }) => fill.volume);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_000, 4, 1_003]);
  expect(incidents).toEqual([expect.stringMatching(/^FILLS_MISSED: mm has not handled 1000/u)]);
});

test('those that an older version stored have no fees and no time', () => {
  const { context } = memory();
  const stored = { key: 'k', side: 'BID', price: 100, volume: 5, booked: true };
  const state = JSON.stringify([{ pair: 'XBTZAR', fill: stored }]);
  const fills = new MissedFills(context, [{ name: 'missed fills mm', state }]);
  const [missed] = fills.take('mm');
  expect(missed?.fill).toMatchObject({ ...stored, atMs: 0 });
  expect(missed?.fill.fees.base.isZero()).toBe(true);
});
