/**
 * The planner case by case. One line per order:
 * level, side, price, volume, and then state, filled, and ! when it is being cancelled.
 */
import { describe, expect, it } from 'vitest';
import type { QuotedOrder } from '../../../src/domain/intent.ts';
import type { Side } from '../../../src/domain/market.ts';
import type { OrderState } from '../../../src/domain/order.ts';
import type { OwnOrder } from '../../../src/strategy/own-views.ts';
import { QuotePlanner } from '../../../src/strategy/quote-planner.ts';
import { lots, ticks } from './host-fixture.ts';

function wantedOf(line: string): QuotedOrder {
  const [level = '', side = '', price = '', volume = ''] = line.split(' ');
  return {
    level,
    side: side as Side,
    price: ticks(Number.parseInt(price, 10)),
    volume: lots(Number.parseInt(volume, 10)),
    postOnly: true,
  };
}

function ownOf(line: string, index: number): OwnOrder {
  const [, , , , state = 'open', filled = '0', cancelling] = line.split(' ');
  const { level, ...terms } = wantedOf(line);
  return {
    key: `k${index}`,
    ...(level === '-' ? {} : { level }),
    terms,
    filled: lots(Number.parseInt(filled, 10)),
    state: state as OrderState,
    cancelling: cancelling === '!',
  };
}

type Wish = { wanted: QuotedOrder[]; toleranceTicks: number; own: OwnOrder[] };

/** Returns levels to place and to wait for, and keys to cancel and to keep. */
function planQuote({ wanted, toleranceTicks, own }: Wish) {
  const plan = new QuotePlanner<OwnOrder>();
  const count = plan.make(wanted, toleranceTicks, own);
  const places = plan.places.map((order) => order.level);
  const missing = wanted.filter((_order, index) => plan.kept[index] === undefined);
  const waits = missing.map((order) => order.level).filter((level) => !places.includes(level));
  const cancels = plan.cancels.map((order) => order.key);
  const keeps = plan.kept.flatMap((order) => order?.key ?? []);
  expect(count).toBe(missing.length);
  return { places, cancels, keeps, waits };
}

const b = 'bid BID 100 10';
const a = 'ask ASK 110 10';

describe('QuotePlanner', () => {
  it.each<
    [
      string,
      string[],
      string[],
      number,
      Partial<Record<'places' | 'cancels' | 'keeps' | 'waits', string[]>>,
    ]
  >([
    ['places what is missing', [b, a], [], 0, { places: ['bid', 'ask'] }],
    ['keeps what stands', [b, a], [b, a], 0, { keeps: ['k0', 'k1'] }],
    ['wants nothing: cancels all', [], [b, a], 0, { cancels: ['k0', 'k1'] }],
    ['keeps a price within the tolerance', [b], ['bid BID 98 10'], 2, { keeps: ['k0'] }],
    ['moves a price beyond it', [b], ['bid BID 97 10'], 2, { cancels: ['k0'], waits: ['bid'] }],
    ['keeps a partly filled order', [b], ['bid BID 100 10 open 9'], 0, { keeps: ['k0'] }],
    [
      'keeps one whose rest is what is wanted',
      ['bid BID 100 4'],
      ['bid BID 100 10 open 6'],
      0,
      { keeps: ['k0'] },
    ],
    [
      'replaces one that is too large',
      ['bid BID 100 4'],
      ['bid BID 100 10 open 5'],
      0,
      { cancels: ['k0'], waits: ['bid'] },
    ],
    [
      'replaces one that is too small',
      ['bid BID 100 11'],
      [b],
      0,
      { cancels: ['k0'], waits: ['bid'] },
    ],
    ['places again what was filled', [b], ['bid BID 100 10 filled 10'], 0, { places: ['bid'] }],
    [
      'places beside final orders of any kind',
      [b],
      [`${b} rejected`, `${b} absent`, `${b} unsent`, `${b} cancelled`],
      0,
      { places: ['bid'] },
    ],
    ['keeps an unknown order that fits', [b], [`${b} unknown`], 0, { keeps: ['k0'] }],
    [
      'waits for an unknown one that does not',
      [b],
      ['bid BID 90 10 unknown'],
      0,
      { cancels: ['k0'], waits: ['bid'] },
    ],
    ['waits for one on its way out', [b], [`${b} open 0 !`], 0, { waits: ['bid'] }],
    ['waits for one that is completing', [b], [`${b} completing`], 0, { waits: ['bid'] }],
    ['asks no second cancel', [], [`${b} open 0 !`], 0, {}],
    [
      'withdraws a level that is not wanted',
      [b],
      [b, 'bid2 BID 99 10'],
      0,
      { keeps: ['k0'], cancels: ['k1'] },
    ],
    [
      'of two on a level keeps the nearest',
      [b],
      ['bid BID 98 10', 'bid BID 99 10'],
      5,
      { keeps: ['k1'], cancels: ['k0'] },
    ],
    ['of two equal ones keeps the oldest', [b], [b, b], 5, { keeps: ['k0'], cancels: ['k1'] }],
    ['leaves an order placed by key alone', [a], ['- BID 100 10'], 0, { places: ['ask'] }],
    ['does not meet an order placed by key', [a], ['- BID 110 10'], 0, { waits: ['ask'] }],
    [
      'does not meet its own order on the way out',
      ['ask ASK 100 10'],
      [`${b} open 0 !`],
      0,
      { waits: ['ask'] },
    ],
    [
      'gives up a kept order that the new one would meet',
      ['bid BID 99 10', 'ask ASK 100 10'],
      [b],
      3,
      { cancels: ['k0'], waits: ['bid', 'ask'] },
    ],
    [
      'a level that changes its side is placed anew',
      ['bid ASK 100 10'],
      [b],
      9,
      { cancels: ['k0'], waits: ['bid'] },
    ],
  ])('%s', (_name, wanted, own, toleranceTicks, expected) => {
    const plan = planQuote({ wanted: wanted.map(wantedOf), toleranceTicks, own: own.map(ownOf) });
    expect(plan).toEqual({ places: [], cancels: [], keeps: [], waits: [], ...expected });
  });

  it('replaces an order whose flags differ', () => {
    const wanted = [wantedOf(b)];
    const plain = { ...ownOf(b, 0), terms: { ...ownOf(b, 0).terms, postOnly: false } };
    expect(planQuote({ wanted, toleranceTicks: 0, own: [plain] }).cancels).toEqual(['k0']);
    const stated = { ...ownOf(b, 0), terms: { ...ownOf(b, 0).terms, timeInForce: 'GTC' as const } };
    expect(planQuote({ wanted, toleranceTicks: 0, own: [stated] }).keeps).toEqual(['k0']);
  });

  it('leaves nothing of the plan before', () => {
    const plan = new QuotePlanner<OwnOrder>();
    expect(plan.make([wantedOf(b), wantedOf(a)], 0, [ownOf('bid BID 90 10', 0)])).toBe(2);
    expect([plan.places.length, plan.cancels.length]).toEqual([1, 1]);
    expect(plan.make([wantedOf(a)], 0, [ownOf(a, 0)])).toBe(0);
    expect([plan.places, plan.cancels, plan.kept.length]).toEqual([[], [], 1]);
  });

  it('refuses a quote that crosses itself or names a level twice', () => {
    const plan = (...lines: string[]) =>
      planQuote({ wanted: lines.map(wantedOf), toleranceTicks: 0, own: [] });
    expect(() => plan(b, 'ask ASK 100 10')).toThrow(/crosses itself: bid 100, ask 100/);
    expect(() => plan(b, 'bid BID 90 10')).toThrow(/repeats a level/);
  });
});
