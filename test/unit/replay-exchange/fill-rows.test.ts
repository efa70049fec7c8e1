/** The message about a fill carries its ledger rows; others report them if ledgers can be read. */
import { expect, test } from 'vitest';
import { formatAmount } from '../../../src/domain/amount.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { rowsIn } from '../../../src/venues/luno/api/delivered-facts.ts';
import type { OrderFillUpdate } from '../../../src/venues/luno/api/user-messages.ts';
import { replayMarket, replayRates } from '../../support/replay-market.ts';

const startedMs = 1_700_000_000_000;

/** Buys 2 for 1.00 each; returns the kinds of messages, and the rows with the fill. */
function bought(keepsLedgers: boolean) {
  const kinds: string[] = [];
  const fills: OrderFillUpdate[] = [];
  const account = new ReplayAccount({
    markets: [{ market: replayMarket, rates: replayRates }],
    balances: { XBT: '1', EUR: '100' },
    startedMs,
    keepsLedgers,
    onUserMessage: (message) => {
      kinds.push(message.kind);
      if (message.kind === 'order-fill') fills.push(message.update);
    },
  });
  const accountMarket = account.markets.get('XBTEUR');
  const offer = { id: 'O1', price: 100 as Ticks, volume: 20_000 as Lots };
  accountMarket?.fillModel.start({ bids: [], asks: [offer] });
  const terms = { pair: 'XBTEUR', type: 'BID', price: '1.00', volume: '2' } as const;
  accountMarket?.place(terms, startedMs * 1_000);
  const rows = fills
    .flatMap(rowsIn)
    .map(
      ({ accountId, balance, balanceDelta }) =>
        `${accountId}: ${formatAmount(balanceDelta)} to ${formatAmount(balance)}`,
    );
  return { kinds, rows };
}

test.each([
  [true, ['balance', 'order-status', 'order-fill', 'balance', 'balance', 'order-status']],
  [false, ['order-status', 'order-fill', 'order-status']],
])('the message about a fill has its rows; ledgers are kept: %s', (keepsLedgers, messages) => {
  const { kinds, rows } = bought(keepsLedgers);
  expect(kinds).toEqual(messages);
  expect(rows).toEqual(['2: -2 to 98', '1: 1.998 to 2.998']);
});
