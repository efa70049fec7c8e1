/** Which messages of the user stream report an order: its acceptance only if that is wanted. */
import { expect, test } from 'vitest';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { placing, replayMarket, replayRates } from '../../support/replay-market.ts';

const startedMs = 1_700_000_000_000;

/** Places and cancels an order; returns the kinds of messages, with the status of the order. */
function reported(announcesOrders: boolean | undefined): readonly string[] {
  const messages: string[] = [];
  const account = new ReplayAccount({
    markets: [{ market: replayMarket, rates: replayRates }],
    balances: { XBT: '1', EUR: '100' },
    startedMs,
    announcesOrders,
    onUserMessage: (message) =>
      messages.push(message.kind === 'order-status' ? message.update.status : message.kind),
  });
  const accountMarket = account.markets.get('XBTEUR');
  accountMarket?.fillModel.start({ bids: [], asks: [] });
  const placed = accountMarket?.place(placing(), startedMs * 1_000);
  if (placed?.kind !== 'accepted') throw new Error('the order must be accepted');
  account.cancel(placed.order.id, startedMs * 1_000 + 1);
  return messages;
}

test('the user stream reports acceptance and end of an order, and its reservation', () => {
  const all = ['balance', 'PENDING', 'balance', 'COMPLETE'];
  expect(reported(true)).toEqual(all);
  expect(reported(undefined)).toEqual(all);
});

test('an acceptance is left out where nobody needs it', () => {
  expect(reported(false)).toEqual(['balance', 'balance', 'COMPLETE']);
});
