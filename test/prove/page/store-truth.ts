/** What the database of a bot says, read by SQL of its own. */
import SqliteDatabase from 'better-sqlite3';
import { Decimal } from 'decimal.js';

type Row = Readonly<Record<string, string | number | null>>;

export type StoreTruth = {
  readonly rows: (sql: string, ...values: readonly (string | number)[]) => readonly Row[];
  /** The exact sum of an expression's decimals over rows. */
  readonly sum: (rows: readonly Row[], decimalOf: (row: Row) => Decimal) => Decimal;
  readonly close: () => void;
};

export function openTruth(file: string): StoreTruth {
  const database = new SqliteDatabase(file, { readonly: true });
  return {
    rows: (sql, ...values) => database.prepare(sql).all(...values) as Row[],
    sum: (rows, decimalOf) => rows.reduce((sum, row) => sum.plus(decimalOf(row)), new Decimal(0)),
    close: () => database.close(),
  };
}

export function decimal(row: Row, name: string): Decimal {
  return new Decimal(row[name] ?? 0);
}

/** Base that the fills gained, after fees. */
export function positionOf(truth: StoreTruth): string {
  const fills = truth.rows('SELECT side, base, fee_base FROM fills');
  return truth
    .sum(fills, (row) =>
      decimal(row, 'base')
        .times(row['side'] === 'BID' ? 1 : -1)
        .minus(decimal(row, 'fee_base')),
    )
    .toFixed();
}
