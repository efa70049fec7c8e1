/**
 * What a strategy's account must show, worked out from the rows of all its fills, in the order in
 * which they were booked. Realised profit is added up fill by fill, so it shares nothing with the
 * engine, which takes it from flows and the cost of the position.
 */
import { Decimal } from '../../src/domain/money.ts';
import type { FillRow } from '../../src/domain/records.ts';

const zero = new Decimal(0);

type TradedRow = Pick<FillRow, 'side' | 'base' | 'counter' | 'feeBase' | 'feeCounter'>;

export type ExpectedSums = {
  readonly base: Decimal;
  readonly counter: Decimal;
  readonly feeBase: Decimal;
  readonly feeCounter: Decimal;
};

export function sumsOfRows(rows: readonly FillRow[]): ExpectedSums {
  const sumOf = (field: keyof ExpectedSums): Decimal =>
    rows.reduce((sum, row) => sum.plus(row[field]), zero);
  return {
    ...{ base: sumOf('base'), counter: sumOf('counter') },
    ...{ feeBase: sumOf('feeBase'), feeCounter: sumOf('feeCounter') },
  };
}

/** Returns the profit of the fills, with the position valued at `mid`. */
export function profitOfRows(rows: readonly TradedRow[], mid: Decimal | undefined) {
  let held = zero;
  /** Per unit of the position, in counter currency. */
  let average = zero;
  let realised = zero;
  let total = zero;
  for (const row of rows) {
    const sign = row.side === 'BID' ? 1 : -1;
    const traded = new Decimal(row.base).times(sign);
    const net = traded.minus(row.feeBase);
    const received = new Decimal(row.counter).times(-sign).minus(row.feeCounter);
    const price = received.neg().div(traded);
    const isClosing = !held.isZero() && held.isPositive() !== net.isPositive();
    const after = held.plus(net);
    if (!isClosing) {
      // A fee in the base currency is lost at the price of the fill.
      realised = realised.minus(traded.minus(net).times(price));
      average = held.times(average).plus(net.times(price)).div(after);
    } else if (!after.isZero() && after.isPositive() !== held.isPositive()) {
      // All of the old position is closed, and the rest opens one at the price of the fill.
      realised = realised.plus(received).minus(held.times(average)).plus(after.times(price));
      average = price;
    } else realised = realised.plus(received).plus(net.times(average));
    held = after;
    if (held.isZero()) average = zero;
    total = total.plus(received);
  }
  const open = held.isZero() ? zero : mid && held.times(mid.minus(average));
  const worth = held.isZero() ? total : mid && total.plus(held.times(mid));
  return { held, average, realised, open, total: worth };
}
