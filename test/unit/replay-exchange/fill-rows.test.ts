/** The reports about an order that fills at once, and about its rows. */
import { expect, test } from 'vitest';
import { formatAmount } from '../../../src/domain/amount.ts';
import { ReplayAccount } from '../../../src/replay-exchange/account/replay-account.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { historyOf } from '../../support/encoded-history.ts';
import { placing, replayMarket, replayRates, row } from '../../support/replay-market.ts';

const startedMs = 1_700_000_000_000;

test('a fill is followed by the ledger rows of its trade, in both currencies', () => {
  const kinds: string[] = [];
  const rows: string[] = [];
  const account = new ReplayAccount({
    profile: lunoProfile,
    markets: [{ market: replayMarket, rates: replayRates }],
    balances: { XBT: '1', EUR: '100' },
    startedMs,
    onReport: (report) => {
      kinds.push(report.kind);
      if (report.kind !== 'balance') return;
      const { account, delta, balance, available } = report;
      const [moved, held, free] = [delta, balance, available].map(formatAmount);
      rows.push(`${account}: ${moved} to ${held}, available ${free}`);
    },
  });
  const accountMarket = account.markets.get('XBTEUR');
  if (accountMarket === undefined) throw new Error('the account must have the market');
  historyOf(accountMarket).apply(row.create('O1', 'ASK', 100, 20_000));
  accountMarket.place(placing(), startedMs * 1_000);
  const fill = ['filled', 'balance', 'balance', 'ended'];
  expect(kinds).toEqual(['balance', 'accepted', ...fill]);
  expect(rows).toEqual([
    '2: 0 to 100, available 98',
    '2: -2 to 98, available 98',
    '1: 1.998 to 2.998, available 2.998',
  ]);
});
