/** Whether quoting can be profitable at the account's fees, from orders and fills alone. */
import { describe, expect, test } from 'vitest';
import { breakEvenFiguresOf, breakEvenLine, type Fees } from '../../../src/audit/break-even.ts';
import type { StrategySettings } from '../../../src/domain/bot-settings.ts';
import { Decimal } from '../../../src/domain/money.ts';
import type { FillRow, OrderRow } from '../../../src/domain/records.ts';
import { fillRow, noonMs, orderRow } from '../store/store-samples.ts';

const strategy: StrategySettings = {
  id: 'mm',
  plugin: 'any',
  pairs: ['XBTZAR'],
  parameters: {},
  budget: {},
  allow: { sides: ['BID', 'ASK'], types: ['limit'], timeInForce: ['GTC'], postOnly: 'required' },
  onRestart: 'adopt',
  onStop: 'cancel',
  onMove: 'overlap',
  onUnusableBook: { withdrawAfterMs: 1 },
};
const fees: Fees = { maker: new Decimal('0.0005'), taker: new Decimal('0.001') };

/** Quotes at `halfBps` on both sides of a price of a million, four times. */
function quotesAt(halfBps: number): readonly OrderRow[] {
  const half = halfBps * 100;
  return [0, 1, 2, 3].flatMap((i) => {
    const at = { createdMs: noonMs + i * 5_000, level: 'near' } as const;
    return [
      orderRow(i * 2 + 1, { ...at, side: 'BID', price: String(1_000_000 - half) }),
      orderRow(i * 2 + 2, { ...at, side: 'ASK', price: String(1_000_000 + half) }),
    ];
  });
}

function senseOf(
  orders: readonly OrderRow[],
  fills: readonly FillRow[] = [],
  change: { readonly strategy?: StrategySettings; readonly fees?: Fees | undefined } = { fees },
) {
  const [figures] = breakEvenFiguresOf({
    strategies: [change.strategy ?? strategy],
    feesOf: () => change.fees,
    orders,
    fills,
  });
  if (figures === undefined) throw new Error('one strategy, one pair');
  return figures;
}

describe('a round trip', () => {
  // Computed as the exchange does, with both fees taken from what is received.
  const profitAt = (halfBps: number, fee: number): number => {
    const mid = 1_000_000;
    const bought = 1 - fee;
    const received = bought * mid * (1 + halfBps / 10_000) * (1 - fee);
    return received - mid * (1 - halfBps / 10_000);
  };

  test.each([
    [0.0005, 4.9, 5.1],
    [0.001, 9.9, 10.1],
    [-0.0001, -1.1, -0.9],
  ])('at a fee of %d loses at %d bps from the mid and earns at %d', (fee, below, above) => {
    expect(profitAt(below, fee)).toBeLessThan(0);
    expect(profitAt(above, fee)).toBeGreaterThan(0);
    const at = { maker: new Decimal(fee), taker: new Decimal(fee) };
    expect(senseOf(quotesAt(below), [], { fees: at }).canEarn).toBe(false);
    expect(senseOf(quotesAt(above), [], { fees: at }).canEarn).toBe(true);
  });
});

describe('the line of a strategy', () => {
  test('has only the break-even before the first quote', () => {
    expect(senseOf([])).toEqual({
      strategy: 'mm',
      pair: 'XBTZAR',
      makerFee: '0.0005',
      takerFee: '0.001',
      breakEvenHalfSpread: '0.0005',
      quotedHalfSpread: null,
      earnedHalfSpread: null,
      paidFee: null,
      canEarn: null,
    });
  });

  test('says that quotes too near to the mid lose', () => {
    const figures = senseOf(quotesAt(3));
    expect(figures).toMatchObject({ quotedHalfSpread: '0.0003', canEarn: false });
    expect(breakEvenLine(figures)).toBe(
      'mm XBTZAR: breaks even 5bps from the mid (maker 5bps, taker 10bps); quotes 3bps from the mid; IT CANNOT MAKE A PROFIT: every round trip loses',
    );
  });

  test('at exactly the break-even there is no profit', () => {
    expect(senseOf(quotesAt(5)).canEarn).toBe(false);
  });

  test('ignores orders by key, of one side only, of another strategy, or far apart in time', () => {
    const quotes = quotesAt(3);
    const isSilent = (orders: readonly OrderRow[]) =>
      expect(senseOf(orders).quotedHalfSpread).toBeNull();
    isSilent(quotes.map((one) => ({ ...one, level: undefined })));
    isSilent(quotes.filter(({ side }) => side === 'BID'));
    isSilent(quotes.map((one) => ({ ...one, strategyId: 'other' })));
    isSilent(quotes.map((one, i) => ({ ...one, createdMs: noonMs + i * 61_000 })));
  });

  test('has the taker fee for a strategy whose orders cannot rest', () => {
    const taker: StrategySettings = {
      ...strategy,
      allow: { ...strategy.allow, timeInForce: ['IOC'], postOnly: 'never' },
    };
    expect(senseOf(quotesAt(8), [], { strategy: taker, fees })).toMatchObject({
      breakEvenHalfSpread: '0.001',
      canEarn: false,
    });
  });

  test('has what the fills earned and paid, in whichever currency', () => {
    const fills = [
      fillRow('1', {
        side: 'BID',
        price: '998000',
        base: '0.01',
        counter: '9980',
        feeBase: '0.000005',
        feeCounter: '0',
      }),
      fillRow('2', {
        side: 'ASK',
        price: '1002000',
        base: '0.01',
        counter: '10020',
        feeBase: '0',
        feeCounter: '5.01',
      }),
    ];
    const figures = senseOf(quotesAt(20), fills);
    expect(figures).toMatchObject({ earnedHalfSpread: '0.002', paidFee: '0.0005', canEarn: true });
    // Without fees from the exchange, those of the fills count.
    const alone = senseOf(quotesAt(3), fills, { fees: undefined });
    expect(alone).toMatchObject({ makerFee: '0.0005', takerFee: null, canEarn: false });
    expect(breakEvenLine(alone)).toContain('from the mid (maker 5bps);');
  });

  test('has the taker fee of the fills when the exchange was not asked', () => {
    const taker: StrategySettings = {
      ...strategy,
      allow: { ...strategy.allow, timeInForce: ['IOC'], postOnly: 'never' },
    };
    const took = fillRow('1', { maker: false, counter: '1000', feeBase: '0', feeCounter: '1' });
    const figures = senseOf([], [took], { strategy: taker, fees: undefined });
    expect(figures).toMatchObject({ makerFee: null, breakEvenHalfSpread: '0.001' });
    expect(breakEvenLine(figures)).toContain('breaks even 10bps from the mid (taker 10bps)');
  });

  test('has the taker fee of a strategy that could rest, and whose fills all took', () => {
    const took = fillRow('1', { maker: false, counter: '1000', feeBase: '0', feeCounter: '1' });
    expect(senseOf([], [took])).toMatchObject({ breakEvenHalfSpread: '0.001' });
    const rested = fillRow('2', { maker: true, counter: '1000', feeBase: '0', feeCounter: '0.5' });
    expect(senseOf([], [took, rested])).toMatchObject({ breakEvenHalfSpread: '0.0005' });
  });

  test('says that fees are not known without fills and without the exchange', () => {
    const figures = senseOf(quotesAt(3), [], { fees: undefined });
    expect(figures).toMatchObject({ makerFee: null, breakEvenHalfSpread: null, canEarn: null });
    expect(breakEvenLine(figures)).toContain('fees are not known before its first fill');
  });
});
