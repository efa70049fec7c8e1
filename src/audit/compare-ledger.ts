/**
 * Compares the store's ledger rows with the exchange's, and the fills with the ledger rows of their
 * trades.
 */
import { type Amount, amountOf, formatAmount } from '../domain/amount.ts';
import type { FillRow, LedgerRow } from '../domain/records.ts';
import { ledgerDeltaOf } from '../execution/fills/trade-proofs.ts';
import { sumsOf } from '../execution/orders/sums.ts';
import type { MovementView } from '../venue/venue-reply.ts';
import { amounts, compareFields, type DifferenceSink } from './difference.ts';

export type LedgerComparison = {
  /** Rows that are newer than the store's newest and change no balance; a bot reads them later. */
  readonly rowsNotReadYet: number;
};

/** Reports every row of one account that is missing or differs. */
export function compareLedger(
  account: { readonly accountId: string; readonly currency: string },
  stored: readonly LedgerRow[],
  atExchange: readonly MovementView[],
  report: DifferenceSink,
): LedgerComparison {
  const rows = new Map(stored.map((row) => [row.rowIndex, row]));
  const newest = stored.reduce((highest, row) => Math.max(highest, row.rowIndex), 0);
  const subjectOf = (rowIndex: number): string =>
    `${account.currency} account ${account.accountId} row ${rowIndex}`;
  let rowsNotReadYet = 0;
  for (const movement of atExchange) {
    const { row: rowIndex, delta, balance, text } = movement;
    const subject = subjectOf(rowIndex);
    const row = rows.get(rowIndex);
    rows.delete(rowIndex);
    if (row !== undefined) compareRow(subject, row, movement, report);
    else if (rowIndex > newest && delta === 0n) rowsNotReadYet++;
    else
      report({
        kind: 'ledger',
        subject,
        field: 'row',
        store: null,
        exchange: `${formatAmount(delta)} to ${formatAmount(balance)}, ${text}`,
      });
  }
  for (const row of rows.values())
    report({
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
  movement: MovementView,
  report: DifferenceSink,
): void {
  const { currency, kind, trade, atMs } = movement;
  compareFields(
    { kind: 'ledger', subject },
    {
      balance: amounts(row.balance, movement.balance),
      balanceDelta: amounts(row.balanceDelta, movement.delta),
      available: amounts(row.available, movement.available),
      availableDelta: amounts(row.availableDelta, movement.availableDelta),
      currency: { store: row.currency, exchange: currency },
      kind: { store: row.kind, exchange: kind },
      trade: {
        store: tradeText(row.pair, row.sequence),
        exchange: tradeText(trade?.pair, trade?.sequence),
      },
      timestamp: { store: String(row.timestampMs), exchange: String(atMs) },
    },
    report,
  );
}

function tradeText(pair: string | undefined, sequence: string | undefined): string {
  return pair === undefined ? 'none' : `${pair} ${sequence}`;
}

/**
 * Reports every trade whose fills do not add up to its ledger rows, both as stored: in the base and
 * in the counter currency, fees included. Skips the trades in `foreign`: others on the account took
 * part in them, so their rows are not only ours.
 */
export function compareFillsWithLedger(
  { fills, ledger }: { readonly fills: readonly FillRow[]; readonly ledger: readonly LedgerRow[] },
  pairs: ReadonlyMap<string, { readonly base: string; readonly counter: string }>,
  foreign: ReadonlySet<string>,
  report: DifferenceSink,
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
      report({
        kind: 'ledger',
        subject: `trade ${trade}`,
        field: `${market[part]} (store: sum of its fills; exchange: sum of its ledger rows)`,
        store: formatAmount(byFills),
        exchange: formatAmount(byRows),
      });
    }
  }
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
