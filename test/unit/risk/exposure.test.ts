/** The account's exposure, in the life of one order. */

import { describe, expect, test } from 'vitest';
import { amountOf, formatAmount, parseAmount, wholeLotsOf } from '../../../src/domain/amount.ts';
import { InvariantError } from '../../../src/domain/errors.ts';
import { Exposure } from '../../../src/risk/exposure.ts';
import { fillAs, heldAs, holdAs, type NamedFill } from '../../support/named-holds.ts';
import { lots, market, nowMs, ticks } from './open-gate.ts';

const day = 86_400_000;
const bid = {
  strategyId: 'mm',
  pair: 'XBTZAR',
  side: 'BID',
  price: ticks(100_000_000),
  volume: lots(100),
} as const;
const fill: NamedFill = {
  key: 'f1',
  holdId: 'h1',
  strategyId: 'mm',
  pair: 'XBTZAR',
  side: 'BID',
  volume: lots(40),
  value: 4_000_000_000,
  feeBase: amountOf('0.000004'),
  feeCounter: 0n,
  timeMs: nowMs,
};

function exposureWith(amounts: Readonly<Record<string, string>>): Exposure {
  const exposure = new Exposure([market]);
  for (const [currency, amount] of Object.entries(amounts)) {
    const balance = amountOf(amount);
    exposure.funds.setBalance(currency, {
      askedMs: 0,
      balance,
      available: balance,
      mark: exposure.funds.mark(),
    });
  }
  return exposure;
}

const free = (exposure: Exposure, currency: string) => {
  const amount = exposure.free(currency);
  return amount === undefined ? undefined : formatAmount(amount);
};
const texts = (worst: { base: bigint; highest: bigint; lowest: bigint }) =>
  [worst.lowest, worst.base, worst.highest].map(formatAmount).join(' ');

describe('a position', () => {
  test('counts open orders at their worst, filled ones exactly, and fees to the last digit', () => {
    const exposure = exposureWith({});
    holdAs(exposure, 'h1', bid, nowMs);
    expect(texts(exposure.position('mm', 'XBTZAR'))).toBe('0 0 0.01');
    fillAs(exposure, fill);
    expect(texts(exposure.position('mm', 'XBTZAR'))).toBe('0.003996 0.003996 0.009996');
    holdAs(exposure, 'h2', { ...bid, side: 'ASK', volume: lots(200) }, nowMs);
    expect(texts(exposure.pairPosition('XBTZAR'))).toBe('-0.016004 0.003996 0.009996');
    exposure.release(heldAs(exposure, 'h1'));
    exposure.release(heldAs(exposure, 'h2'));
    expect(texts(exposure.position('mm', 'XBTZAR'))).toBe('0.003996 0.003996 0.003996');
  });

  test('takes a fill of an order that was released, and of one that was never held', () => {
    const exposure = exposureWith({});
    holdAs(exposure, 'h1', bid, nowMs);
    exposure.release(heldAs(exposure, 'h1'));
    fillAs(exposure, fill);
    fillAs(exposure, { ...fill, key: 'f2', holdId: 'never', side: 'ASK', feeBase: 0n });
    expect(texts(exposure.position('mm', 'XBTZAR'))).toBe('-0.000004 -0.000004 -0.000004');
  });

  test('leaves nothing open when the exchange fills more than was ordered', () => {
    const exposure = exposureWith({ ZAR: '100000' });
    holdAs(exposure, 'h1', bid, nowMs);
    fillAs(exposure, { ...fill, volume: lots(150), value: 15_000_000_000, feeBase: 0n });
    expect(texts(exposure.position('mm', 'XBTZAR'))).toBe('0.015 0.015 0.015');
    expect(exposure.openNotional('ZAR')).toBe(0n);
    expect(free(exposure, 'ZAR')).toBe('85000');
  });

  test('refuses to count a fill twice, and ends a hold once', () => {
    const exposure = exposureWith({});
    holdAs(exposure, 'h1', bid, nowMs);
    fillAs(exposure, fill);
    expect(() => fillAs(exposure, fill)).toThrow(InvariantError);
    for (let times = 0; times < 2; times++) exposure.release(heldAs(exposure, 'h1'));
    expect([exposure.ordersOpen(), exposure.openNotional('ZAR')]).toEqual([0, 0n]);
  });
});

describe('the free amount', () => {
  test('is not known before the first balance', () => {
    expect(free(exposureWith({}), 'ZAR')).toBeUndefined();
  });

  test('falls with a hold, and counts a reservation once when the balance includes it', () => {
    const exposure = exposureWith({ ZAR: '50000' });
    holdAs(exposure, 'h1', bid, nowMs);
    expect(free(exposure, 'ZAR')).toBe('40000');
    exposure.confirm(heldAs(exposure, 'h1'));
    expect(free(exposure, 'ZAR')).toBe('40000');
    const mark = exposure.funds.mark();
    exposure.funds.setBalance('ZAR', {
      askedMs: 0,
      balance: amountOf('50000'),
      available: amountOf('40000'),
      mark,
    });
    expect(free(exposure, 'ZAR')).toBe('40000');
    exposure.release(heldAs(exposure, 'h1'));
    exposure.funds.setBalance('ZAR', {
      askedMs: 0,
      balance: amountOf('50000'),
      available: amountOf('50000'),
      mark: exposure.funds.mark(),
    });
    expect(free(exposure, 'ZAR')).toBe('50000');
  });

  test('deducts an order from a balance that was requested before its confirmation', () => {
    const exposure = exposureWith({ ZAR: '50000' });
    holdAs(exposure, 'h1', bid, nowMs);
    const mark = exposure.funds.mark();
    exposure.confirm(heldAs(exposure, 'h1'));
    exposure.funds.setBalance('ZAR', {
      askedMs: 0,
      balance: amountOf('50000'),
      available: amountOf('50000'),
      mark,
    });
    expect(free(exposure, 'ZAR')).toBe('40000');
  });

  test('deducts what a fill spent until the ledger shows it and a later balance includes it', () => {
    const exposure = exposureWith({ ZAR: '50000' });
    holdAs(exposure, 'h1', bid, nowMs);
    fillAs(exposure, { ...fill, feeCounter: amountOf('2') });
    expect(free(exposure, 'ZAR')).toBe('39998');
    exposure.release(heldAs(exposure, 'h1'));
    expect(free(exposure, 'ZAR')).toBe('45998');
    const early = exposure.funds.mark();
    exposure.funds.settle('f1');
    exposure.funds.setBalance('ZAR', {
      askedMs: 0,
      balance: amountOf('50000'),
      available: amountOf('50000'),
      mark: early,
    });
    expect(free(exposure, 'ZAR')).toBe('45998');
    const late = exposure.funds.mark();
    exposure.funds.setBalance('ZAR', {
      askedMs: 0,
      balance: amountOf('45998'),
      available: amountOf('45998'),
      mark: late,
    });
    expect(free(exposure, 'ZAR')).toBe('45998');
  });

  test('ignores a response that a later one has overtaken', () => {
    const exposure = exposureWith({ ZAR: '50000' });
    holdAs(exposure, 'h1', bid, nowMs);
    const early = exposure.funds.mark();
    exposure.confirm(heldAs(exposure, 'h1'));
    const late = exposure.funds.mark();
    exposure.funds.setBalance('ZAR', {
      askedMs: 0,
      balance: amountOf('50000'),
      available: amountOf('40000'),
      mark: late,
    });
    exposure.funds.setBalance('ZAR', {
      askedMs: 0,
      balance: amountOf('90000'),
      available: amountOf('90000'),
      mark: early,
    });
    expect(free(exposure, 'ZAR')).toBe('40000');
  });

  describe('after the end of an order that a balance has reserved for', () => {
    const reserved = (): Exposure => {
      const exposure = exposureWith({});
      holdAs(exposure, 'h1', bid, nowMs);
      exposure.confirm(heldAs(exposure, 'h1'));
      report(exposure, '50000', '40000');
      return exposure;
    };
    const report = (exposure: Exposure, balance: string, available: string): void =>
      exposure.funds.setBalance('ZAR', {
        askedMs: 0,
        balance: amountOf(balance),
        available: amountOf(available),
        mark: exposure.funds.mark(),
      });

    test('rises at once if the balance came before the cancel, until the next balance', () => {
      const exposure = reserved();
      exposure.withdraw(heldAs(exposure, 'h1'), nowMs);
      expect(free(exposure, 'ZAR')).toBe('40000');
      exposure.release(heldAs(exposure, 'h1'));
      expect(free(exposure, 'ZAR')).toBe('50000');
      report(exposure, '50000', '45000');
      expect(free(exposure, 'ZAR')).toBe('45000');
    });

    test('rises by what is left after a fill', () => {
      const exposure = reserved();
      exposure.withdraw(heldAs(exposure, 'h1'), nowMs);
      fillAs(exposure, fill);
      exposure.release(heldAs(exposure, 'h1'));
      expect(free(exposure, 'ZAR')).toBe('46000');
    });

    test('rises too if an equal balance came after the cancel: it did not include its end', () => {
      const exposure = reserved();
      exposure.withdraw(heldAs(exposure, 'h1'), nowMs);
      report(exposure, '50000', '40000');
      const early = exposure.funds.mark();
      exposure.release(heldAs(exposure, 'h1'));
      expect(free(exposure, 'ZAR')).toBe('50000');
      const [balance, available] = [amountOf('50000'), amountOf('40000')];
      exposure.funds.setBalance('ZAR', { askedMs: 0, balance, available, mark: early });
      expect(free(exposure, 'ZAR')).toBe('50000');
      // Somebody else has reserved what the cancel freed.
      report(exposure, '50000', '40000');
      expect(free(exposure, 'ZAR')).toBe('40000');
    });

    test('stays if a balance that may include the end of the order came after its cancel', () => {
      const exposure = reserved();
      exposure.withdraw(heldAs(exposure, 'h1'), nowMs);
      report(exposure, '50000', '35000');
      exposure.release(heldAs(exposure, 'h1'));
      expect(free(exposure, 'ZAR')).toBe('35000');
    });

    test('stays if another order was confirmed before an equal balance', () => {
      const exposure = reserved();
      report(exposure, '90000', '40000');
      holdAs(exposure, 'h2', bid, nowMs);
      exposure.confirm(heldAs(exposure, 'h2'));
      exposure.withdraw(heldAs(exposure, 'h1'), nowMs);
      // The exchange has ended the first order, and has reserved as much for the second.
      report(exposure, '90000', '40000');
      exposure.release(heldAs(exposure, 'h1'));
      expect(free(exposure, 'ZAR')).toBe('40000');
    });

    test('stays if nobody cancelled the order', () => {
      const exposure = reserved();
      exposure.release(heldAs(exposure, 'h1'));
      expect(free(exposure, 'ZAR')).toBe('40000');
    });

    test('never exceeds the balance less the other orders', () => {
      const exposure = reserved();
      holdAs(exposure, 'h2', { ...bid, volume: lots(300) }, nowMs);
      exposure.withdraw(heldAs(exposure, 'h1'), nowMs);
      exposure.release(heldAs(exposure, 'h1'));
      expect(free(exposure, 'ZAR')).toBe('20000');
    });
  });

  test('is lowered by orders of other people on the account, which only `available` shows', () => {
    const exposure = exposureWith({});
    const mark = exposure.funds.mark();
    exposure.funds.setBalance('ZAR', {
      askedMs: 0,
      balance: amountOf('50000'),
      available: amountOf('20000'),
      mark,
    });
    holdAs(exposure, 'h1', bid, nowMs);
    expect(free(exposure, 'ZAR')).toBe('10000');
  });
});

describe('a day', () => {
  const mid2 = () => 200_000_000;

  test('counts turnover and loss from midnight UTC, at the current mid', () => {
    const midnight = Math.floor(nowMs / day) * day;
    const exposure = exposureWith({});
    fillAs(exposure, { ...fill, timeMs: midnight - 1, value: 9_000_000_000 });
    fillAs(exposure, { ...fill, key: 'f2', timeMs: midnight, feeBase: 0n });
    expect(formatAmount(exposure.turnoverDay('ZAR', midnight))).toBe('4000');
    expect(exposure.lossDay('ZAR', midnight, mid2)).toBe(0n);
    const loss = exposure.lossDay('ZAR', midnight, () => 199_000_000);
    expect(loss === undefined ? undefined : formatAmount(loss)).toBe('20');
    expect(exposure.turnoverDay('ZAR', midnight + day)).toBe(0n);
  });

  test('rounds a part of 10^-18 to a loss', () => {
    const exposure = exposureWith({});
    fillAs(exposure, { ...fill, feeBase: amountOf('0.004000000000000001') });
    const loss = exposure.lossDay('ZAR', nowMs, () => 199_999_999);
    expect(loss === undefined ? undefined : formatAmount(loss)).toBe('4000.000000000001');
  });

  test('has no loss while a pair that traded has no mid', () => {
    const exposure = exposureWith({});
    fillAs(exposure, fill);
    expect(exposure.lossDay('ZAR', nowMs, () => undefined)).toBeUndefined();
    expect(exposure.lossDay('EUR', nowMs, () => undefined)).toBe(0n);
  });

  test('is not cleared by a clock that is set back', () => {
    const exposure = exposureWith({});
    fillAs(exposure, fill);
    expect(formatAmount(exposure.turnoverDay('ZAR', nowMs - 2 * day))).toBe('4000');
  });

  test('can be restored from stored fills without moving the position', () => {
    const exposure = exposureWith({});
    exposure.countDay(fill);
    exposure.setPosition('mm', 'XBTZAR', { base: '0.5', counter: '-500000.25' });
    expect(formatAmount(exposure.turnoverDay('ZAR', nowMs))).toBe('4000');
    expect(texts(exposure.position('mm', 'XBTZAR'))).toBe('0.5 0.5 0.5');
    expect(texts(exposure.strategyFlow('mm', 'ZAR'))).toBe('-500000.25 -500000.25 -500000.25');
  });
});

describe('amounts', () => {
  test.each([
    ['0', '0'],
    ['100', '100'],
    ['0.020', '0.02'],
    ['-0.5', '-0.5'],
    ['123456789012.123456789012345678', '123456789012.123456789012345678'],
    ['1.0000000000000000000', '1'],
  ])('%s is read and written as %s', (text, written) => {
    const amount = parseAmount(text);
    expect(amount === undefined ? undefined : formatAmount(amount)).toBe(written);
  });

  test.each(['', '1e5', '0x10', '.5', '1.', ' 1', '+1', 'NaN', '0.0000000000000000001', '١'])(
    '%j is no amount',
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );

  test('a part of a lot is rounded towards zero', () => {
    expect(wholeLotsOf(parseAmount('0.00019') ?? 0n, market)).toBe(1);
    expect(wholeLotsOf(parseAmount('-0.00019') ?? 0n, market)).toBe(-1);
  });
});
