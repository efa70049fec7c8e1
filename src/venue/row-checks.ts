/**
 * The checks of values that every adapter makes of a venue's answers.
 *
 * Invariant: a row with an impossible value is never used; it becomes a {@link WrongValue} that
 * names the field and its value.
 */
import { type Amount, formatAmount, parseAmount } from '../domain/amount.ts';
import { DecodeError } from '../domain/errors.ts';
import type { CandleView, OrderView, TradeView, WrongValue } from './venue-reply.ts';
import type { FillReport, ReportedOrder } from './venue-report.ts';

/** Reads the texts of one row, and remembers the first that cannot be true. */
export class RowReader {
  readonly #subject: string;
  readonly #order: Pick<WrongValue, 'orderId' | 'clientOrderId'>;
  #wrong: WrongValue | undefined;

  /** `subject` names the row, `order` has the ids of its order. */
  constructor(subject: string, order: Pick<WrongValue, 'orderId' | 'clientOrderId'> = {}) {
    this.#subject = subject;
    this.#order = order;
  }

  /** The first value that cannot be true. */
  get wrong(): WrongValue | undefined {
    return this.#wrong;
  }

  /** Returns an amount with at most 18 decimals; 0 if it is wrong. */
  amount(field: string, text: string): Amount {
    const amount = parseAmount(text);
    if (amount === undefined) this.refuse(field, text, 'must have at most 18 decimals');
    return amount ?? 0n;
  }

  /** Refuses `value` unless it is above 0. */
  mustBePositive(field: string, value: Amount): void {
    if (value <= 0n) this.refuse(field, formatAmount(value), 'must be above 0');
  }

  mustNotBeNegative(field: string, value: Amount): void {
    if (value < 0n) this.refuse(field, formatAmount(value), 'must not be negative');
  }

  mustNotBeEmpty(field: string, value: string): void {
    if (value === '') this.refuse(field, '""', 'must not be empty');
  }

  refuse(field: string, value: string, rule: string): void {
    this.#wrong ??= { subject: this.#subject, ...this.#order, field, value, rule };
  }

  /** Throws DecodeError if a value was wrong: for an answer that has to be right as a whole. */
  mustBeTrue(): void {
    if (this.#wrong !== undefined) throw new DecodeError(wrongText(this.#wrong));
  }
}

/** Refuses what no order can be. A fee may be negative: it is then a rebate. */
export function checkOrder(row: RowReader, view: OrderView): void {
  const { price, volume, sums, type, stop } = view;
  row.mustNotBeEmpty('order id', view.orderId);
  row.mustNotBeEmpty('pair', view.pair);
  row.mustNotBeNegative('filled volume', sums.base);
  row.mustNotBeNegative('filled value', sums.counter);
  // A market order may be given by its value, so it has no price, and its volume says nothing.
  if (type === 'other' || type === 'market') return;
  row.mustBePositive('price', price);
  row.mustBePositive('volume', volume);
  if (type === 'stop-limit' && stop === undefined)
    row.refuse('stop price', 'none', 'must be there for a stop-limit order');
  if (stop !== undefined) row.mustBePositive('stop price', stop.price);
  if (sums.base > volume) {
    const rule = `must be at most the order's volume ${formatAmount(volume)}`;
    row.refuse('filled volume', formatAmount(sums.base), rule);
  }
}

/** Refuses what no trade on `pair` can be. */
export function checkTrade(row: RowReader, view: TradeView, pair: string): void {
  row.mustNotBeEmpty('order id', view.orderId);
  if (view.pair !== pair) row.refuse('pair', view.pair, `must be ${pair}`);
  row.mustBePositive('price', view.price);
  row.mustBePositive('volume', view.volume);
  row.mustBePositive('base', view.sums.base);
  row.mustNotBeNegative('counter', view.sums.counter);
}

/** Refuses what no report about an order can be. */
export function checkReportedOrder(row: RowReader, { orderId, pair }: ReportedOrder): void {
  row.mustNotBeEmpty('order id', orderId);
  row.mustNotBeEmpty('pair', pair);
}

/** Refuses what no report of a fill can be. A fee may be negative: it is then a rebate. */
export function checkFill(row: RowReader, report: FillReport): void {
  checkReportedOrder(row, report);
  row.mustNotBeNegative('filled volume', report.filled);
  row.mustNotBeNegative('base', report.sums.base);
  row.mustNotBeNegative('counter', report.sums.counter);
}

/** Refuses what no row of a ledger can be. */
export function checkMovement(row: RowReader, view: { readonly row: number }): void {
  if (view.row < 1) row.refuse('row', String(view.row), 'must be 1 or more');
}

/** Refuses what no candle can be. */
export function checkCandle(row: RowReader, view: CandleView): void {
  for (const field of ['open', 'high', 'low', 'close', 'volume'] as const)
    row.mustNotBeNegative(field, view[field]);
}

/** Returns the rows of a page that can be true, and those that cannot. */
export function sortedRows<Row extends object>(
  read: readonly (Row | WrongValue)[],
): { readonly rows: readonly Row[]; readonly wrong: readonly WrongValue[] } {
  const rows: Row[] = [];
  const wrong: WrongValue[] = [];
  for (const one of read)
    if (isWrong(one)) wrong.push(one);
    else rows.push(one);
  return { rows, wrong };
}

export function isWrong(value: object): value is WrongValue {
  return 'rule' in value;
}

/** Returns what is wrong as text, for example `order BX1: volume -1 must be above 0`. */
export function wrongText({ subject, field, value, rule }: WrongValue): string {
  return `${subject}: ${field} ${value} ${rule}`;
}
