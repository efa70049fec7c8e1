/**
 * The store's ledger rows against the exchange's, row by row, and the fills against the rows that
 * their trades made.
 */
import { type Amount, amountOf, formatAmount } from '../domain/amount.ts';
import type { FillRow, LedgerRow } from '../domain/records.ts';
import type { TransactionEntry } from '../exchange-api/operations/account-operations.ts';
import { ledgerDeltaOf } from '../execution/fills/trade-proofs.ts';
import { sumsOf } from '../execution/orders/sums.ts';
import { compareFields, type DifferenceSink } from './difference.ts';

export type LedgerComparison = {
  /** Newer than the store's newest and without a change of a balance: it will read them. */
  readonly rowsNotReadYet: number;
};

/** Tells of every row of one account that is missing or differs. */
export function compareLedger(
  account: { readonly accountId: string; readonly currency: string },
  stored: readonly LedgerRow[],
  atExchange: readonly TransactionEntry[],
  tell: DifferenceSink,
): LedgerComparison {
  const rows = new Map(stored.map((row) => [row.rowIndex, row]));
  const newest = stored.reduce((highest, row) => Math.max(highest, row.rowIndex), 0);
  const subjectOf = (rowIndex: number): string =>
    `${account.currency} account ${account.accountId} row ${rowIndex}`;
  let rowsNotReadYet = 0;
  for (const entry of atExchange) {
    const subject = subjectOf(entry.row_index);
    const row = rows.get(entry.row_index);
    rows.delete(entry.row_index);
    if (row !== undefined) compareRow(subject, row, entry, tell);
    else if (entry.row_index > newest && amountOf(entry.balance_delta) === 0n) rowsNotReadYet++;
    else
      tell({
        kind: 'ledger',
        subject,
        field: 'row',
        store: null,
        exchange: `${entry.balance_delta} to ${entry.balance}, ${entry.description}`,
      });
  }
  for (const row of rows.values())
    tell({
      kind: 'ledger',
      subject: subjectOf(row.rowIndex),
      field: 'row',
      store: `${row.balanceDelta} to ${row.balance}, ${row.description}`,
      exchange: null,
    });
  return { rowsNotReadYet };
}

function compareRow(
  subject: string,
  row: LedgerRow,
  entry: TransactionEntry,
  tell: DifferenceSink,
): void {
  const trade = entry.detail_fields?.trade_details ?? undefined;
  const amount = (store: string, exchange: string) =>
    ({ store, exchange, isAmount: true }) as const;
  compareFields(
    { kind: 'ledger', subject },
    {
      balance: amount(row.balance, entry.balance),
      balance_delta: amount(row.balanceDelta, entry.balance_delta),
      available: amount(row.available, entry.available),
      available_delta: amount(row.availableDelta, entry.available_delta),
      currency: { store: row.currency, exchange: entry.currency },
      kind: { store: row.kind, exchange: entry.kind },
      trade: {
        store: tradeText(row.pair, row.sequence),
        exchange: tradeText(trade?.pair, trade?.sequence),
      },
      timestamp: { store: String(row.timestampMs), exchange: String(entry.timestamp) },
    },
    tell,
  );
}

function tradeText(pair: string | undefined, sequence: string | undefined): string {
  return pair === undefined ? 'none' : `${pair} ${sequence}`;
}

/**
 * Tells of every trade whose fills do not add up to its ledger rows, both of the store: in the base
 * and in the counter currency, fees included. `foreign` names trades in which others on the account
 * have a part, whose rows say nothing of our fills.
 */
export function compareFillsWithLedger(
  { fills, ledger }: { readonly fills: readonly FillRow[]; readonly ledger: readonly LedgerRow[] },
  pairs: ReadonlyMap<string, { readonly base: string; readonly counter: string }>,
  foreign: ReadonlySet<string>,
  tell: DifferenceSink,
): void {
  const traded = Map.groupBy(fills, (fill) => `${fill.pair} ${fill.sequence}`);
  const booked = Map.groupBy(
    ledger.filter(({ pair }) => pair !== undefined),
    (row) => `${row.pair} ${row.sequence}`,
  );
  for (const trade of new Set([...traded.keys(), ...booked.keys()])) {
    const market = pairs.get(trade.split(' ')[0] ?? '');
    if (market === undefined || foreign.has(trade)) continue;
    const own = (traded.get(trade) ?? []).map((fill) => ledgerDeltaOf(fill.side, sumsOf(fill)));
    for (const part of ['base', 'counter'] as const) {
      const byFills = sum(own.map((delta) => delta[part]));
      const byRows = sum(
        (booked.get(trade) ?? [])
          .filter((row) => row.currency === market[part])
          .map((row) => amountOf(row.balanceDelta)),
      );
      if (byFills === byRows) continue;
      tell({
        kind: 'ledger',
        subject: `trade ${trade}`,
        field: `${market[part]} by its fills, and by its ledger rows`,
        store: formatAmount(byFills),
        exchange: formatAmount(byRows),
      });
    }
  }
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
