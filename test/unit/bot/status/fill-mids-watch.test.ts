/** The mid at a fill and after it, from the changes of the mid that the stream showed. */

import { expect, test } from 'vitest';
import { FillMidsWatch } from '../../../../src/bot/status/fill-mids-watch.ts';
import { MidHistory } from '../../../../src/bot/status/mid-history.ts';
import { Decimal } from '../../../../src/domain/money.ts';
import type { StoreRecord } from '../../../../src/domain/records.ts';
import { market } from '../../risk/open-gate.ts';
import { fillRow, noonMs } from '../../store/store-samples.ts';

/** A watch over one market, whose stream has shown everything up to `shownMs`. */
function watchOf() {
  const seen = { mids: new MidHistory(), shownMs: noonMs };
  const watch = new FillMidsWatch((pair) =>
    pair === market.pair ? { market, ...seen } : undefined,
  );
  return { ...seen, watch, seen };
}

/** A mid in ZAR as bid + ask in ticks of 0.01 ZAR. */
const mid2 = (mid: number) => mid * 200;

function rowsOf(records: readonly StoreRecord[]) {
  return records.map((record) => (record.kind === 'fill-mids' ? record.row : undefined));
}

test('the mid before the trade, and those at 1, 10, 60 and 300 s, each once it is shown', () => {
  const { watch, seen, mids } = watchOf();
  mids.note(noonMs - 5_000, mid2(1_000));
  // The trade itself moves the mid.
  mids.note(noonMs, mid2(990));
  watch.add(fillRow('7', { side: 'BID', price: '998', volume: '2', tradedMs: noonMs }));
  expect(rowsOf(watch.advance())).toEqual([
    expect.objectContaining({ sequence: '7', mid: '1000', spread: '4', mid1s: undefined }),
  ]);
  expect(watch.advance()).toEqual([]);
  mids.note(noonMs + 900, mid2(995));
  mids.note(noonMs + 1_100, mid2(1_005));
  seen.shownMs = noonMs + 1_200;
  expect(rowsOf(watch.advance())).toMatchObject([{ mid: '1000', mid1s: '995', mid10s: undefined }]);
  seen.shownMs = noonMs + 60_000;
  expect(rowsOf(watch.advance())).toMatchObject([{ mid10s: '1005', mid60s: '1005' }]);
  mids.note(noonMs + 299_999, undefined);
  seen.shownMs = noonMs + 301_000;
  // There was no book at 300 s, so nothing becomes known, and nothing is waited for.
  expect(watch.advance()).toEqual([]);
  expect(watch.spreadOf('mm', 'XBTZAR')).toEqual({ fills: 1, sum: new Decimal(4) });
});

test('a mid of half a tick is exact, and an ask gains above the mid', () => {
  const { watch, mids } = watchOf();
  mids.note(noonMs - 1, 200_001);
  watch.add(fillRow('8', { side: 'ASK', price: '1001', volume: '0.5', tradedMs: noonMs }));
  expect(rowsOf(watch.advance())).toMatchObject([{ mid: '1000.005', spread: '0.4975' }]);
});

test('a fill of a time that the stream did not show has no mid, and is not counted', () => {
  const { watch, mids } = watchOf();
  mids.note(noonMs + 1_000, mid2(1_000));
  watch.add(fillRow('9', { tradedMs: noonMs }));
  expect(watch.advance()).toEqual([]);
  expect(watch.spreadOf('mm', 'XBTZAR')).toEqual({ fills: 0, sum: new Decimal(0) });
  watch.add(fillRow('10', { tradedMs: noonMs + 5_000 }));
  mids.note(noonMs + 4_999, mid2(1_000));
  // Its mid will be known as soon as the stream has shown its time.
  expect(watch.spreadOf('mm', 'XBTZAR')).toEqual({ fills: 1, sum: new Decimal(0) });
  expect(watch.spreadOf('other', 'XBTZAR')).toEqual({ fills: 0, sum: new Decimal(0) });
});

test('a fill is not looked up before the stream has shown its time', () => {
  const { watch, seen, mids } = watchOf();
  mids.note(noonMs - 5_000, mid2(1_000));
  watch.add(fillRow('10', { tradedMs: noonMs + 500 }));
  expect(watch.advance()).toEqual([]);
  mids.note(noonMs + 400, mid2(1_002));
  seen.shownMs = noonMs + 500;
  expect(rowsOf(watch.advance())).toMatchObject([{ mid: '1002' }]);
});

test('a restart goes on with the fills of the last minutes, and with the sum', () => {
  const { watch, seen, mids } = watchOf();
  const known = { mid: '1000', spread: '4', mid1s: '999', mid10s: undefined };
  const fill = { ...fillRow('7', { tradedMs: noonMs - 5_000 }), ...known };
  watch.restore(
    {
      fillSpreads: () => [{ strategyId: 'mm', pair: 'XBTZAR', fills: 1, spread: '4' }],
      fillsWithMids: () => [{ ...fill, mid60s: undefined, mid300s: undefined }],
    },
    ['XBTZAR'],
    noonMs,
  );
  expect(watch.spreadOf('mm', 'XBTZAR')).toEqual({ fills: 1, sum: new Decimal(4) });
  mids.note(noonMs, mid2(1_010));
  seen.shownMs = noonMs + 6_000;
  expect(rowsOf(watch.advance())).toEqual([
    {
      ...{ pair: 'XBTZAR', sequence: '7', orderId: 'BX1', strategyId: 'mm' },
      ...{ ...known, mid10s: '1010', mid60s: undefined, mid300s: undefined },
    },
  ]);
});

test('the history forgets old mids, but not the one that was in force', () => {
  const mids = new MidHistory();
  mids.note(0, mid2(1));
  mids.note(1_000, mid2(2));
  mids.note(500_000, mid2(3));
  expect(mids.at(900)).toBeUndefined();
  expect(mids.at(499_999)).toBe(mid2(2));
  expect(mids.before(500_000)).toBe(mid2(2));
  expect(mids.at(500_000)).toBe(mid2(3));
  for (let change = 0; change < 40_000; change++) mids.note(500_000 + change, change);
  expect(mids.at(539_999)).toBe(39_999);
  expect(mids.at(500_001)).toBeUndefined();
});
