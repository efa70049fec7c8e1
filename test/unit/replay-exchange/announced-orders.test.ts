/** What is reported about an order: its acceptance only if that is wanted. */
import { expect, test } from 'vitest';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { placing, replayMarket, replayRates } from '../../support/replay-market.ts';

const startedMs = 1_700_000_000_000;

/** Places and cancels an order; returns the kinds of reports. */
function reported(announcesOrders: boolean | undefined): readonly string[] {
  const reports: string[] = [];
  const account = new ReplayAccount({
    profile: lunoProfile,
    markets: [{ market: replayMarket, rates: replayRates }],
    balances: { XBT: '1', EUR: '100' },
    startedMs,
    announcesOrders,
    onReport: ({ kind }) => reports.push(kind),
  });
  const accountMarket = account.markets.get('XBTEUR');
  const placed = accountMarket?.place(placing(), startedMs * 1_000);
  if (placed?.kind !== 'accepted') throw new Error('the order must be accepted');
  account.cancel(placed.order.id, startedMs * 1_000 + 1);
  return reports;
}

test('acceptance and end of an order are reported, and its reservation', () => {
  const all = ['balance', 'accepted', 'balance', 'ended'];
  expect(reported(true)).toEqual(all);
  expect(reported(undefined)).toEqual(all);
});

test('an acceptance is left out where nobody needs it', () => {
  expect(reported(false)).toEqual(['balance', 'balance', 'ended']);
});
