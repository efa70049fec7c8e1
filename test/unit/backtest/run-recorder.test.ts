/** The recorder of a run sees our quotes, however they came into the book. */
import { expect, test } from 'vitest';
import { RunRecorder } from '../../../src/backtest/metrics/run-recorder.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import {
  type BarValues,
  barBlocks,
  barData,
  barMicros,
  barRow,
  blockOf,
} from '../../support/coarse-market.ts';
import { placing, replayMarket, replayRates } from '../../support/replay-market.ts';

test('an order that waited as a taker is a quote when its bar gave it nothing and it rests', () => {
  const account = new ReplayAccount({
    profile: lunoProfile,
    markets: [
      {
        market: replayMarket,
        rates: replayRates,
        data: barData({ millionths: 100_000 }),
      },
    ],
    balances: { XBT: '10', EUR: '100000' },
    startedMs: 0,
    onReport: () => {},
  });
  const accountMarket = account.markets.get(replayMarket.pair);
  if (accountMarket === undefined) throw new Error('the account must have the market');
  const recorder = new RunRecorder(accountMarket, 0);
  const bars: readonly BarValues[] = [
    [100, 100, 100, 100, 50],
    // It has too little volume for a share of ours.
    [100, 103, 100, 103, 5],
    [103, 104, 103, 104, 50],
  ];
  const cursor = new FlowCursor();
  cursor.load(
    barBlocks().played(blockOf(bars.map((bar, index) => barRow((index + 1) * barMicros, bar)))),
  );
  const play = (): number => {
    cursor.next();
    accountMarket.replay.apply(cursor);
    recorder.noteRow(cursor);
    return cursor.atMicros;
  };

  const firstMicros = play();
  const taker = placing({ price: '1.02', volume: '0.0009', clientOrderId: 'taker' });
  const placed = accountMarket.place(taker, firstMicros + 1);
  expect(placed.kind).toBe('accepted');
  recorder.noteOrders(firstMicros + 1);
  expect(accountMarket.replay.bestOwnPrice('BID')).toBeUndefined();
  const restsMicros = play();
  expect(accountMarket.replay.bestOwnPrice('BID')).toBe(102);
  recorder.finish(restsMicros + 1_000);

  expect(accountMarket.trades.count).toBe(0);
  expect(recorder.presence.BID.quoted).toBe(1_000);
  expect(recorder.samples.at(-1)?.ownBid).toBe(102);
});
