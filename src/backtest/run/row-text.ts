/**
 * The rows of orders and fills, in two forms: short while the run lasts, and long as they stand in
 * the result file. Three quarters of a long row are names and values that many rows share.
 *
 * A short row is the number of its kind and the JSON of each member that differs within a kind,
 * each followed by a line break, which JSON escapes. The members are in the order of the long row.
 *
 * Invariant: a long row equals `JSON.stringify(row, null, 1)`, indented by two spaces and after a
 * comma, for a row whose members have the order of their type.
 */
import { formatAmount } from '../../domain/amount.ts';
import type { FillRow, OrderRow } from '../../domain/records.ts';
import { noSums } from '../../execution/orders/sums.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import { JsonBytes } from '../../store/json-bytes.ts';
import type { RowSpill } from '../../store/row-spill.ts';
import { lineBreak, RowKind, rowLength } from './row-kind.ts';

/** Long rows are given in pieces of this many bytes. */
const pieceLength = 262_144;
const zero = 48;

const sumMembers = ['base', 'counter', 'feeBase', 'feeCounter'];

/** The members that differ from order to order, unless they are undefined. */
const orderMembers = [
  ...['intentId', 'key', 'level', 'tag', 'price', 'volume', 'stopPrice', 'pays', 'clientOrderId'],
  ...[
    'reason',
    'createdMs',
    'validUntilMs',
    'expiresMs',
    'orderId',
    'attempts',
    'lastTimestampMs',
    'lastTtlMs',
    'cancelRequestedMs',
  ],
  'completedMs',
];

const fillMembers = [
  ...['sequence', 'orderId', 'intentId', 'price', 'volume', ...sumMembers, 'tradedMs'],
];

/** Which members of an order are present, one bit each. */
const hasLevel = 1;
const hasOrderId = 2;
const hasAttempt = 4;
const hasCancelRequest = 8;
const hasEnd = 16;
const hasFills = 32;
const isAmbiguous = 64;
const isPostOnly = 128;
const hasTag = 256;
const hasStopAbove = 512;
const hasStopBelow = 1024;
const hasExpiry = 2048;
const isMarket = 4096;

/** What orders of a kind share. */
type OrderKind = Pick<
  OrderRow,
  'side' | 'state' | 'timeInForce' | 'pair' | 'strategyId' | 'baseAccountId' | 'counterAccountId'
> & { readonly number: number; readonly present: number };

type FillKind = Pick<FillRow, 'pair' | 'strategyId' | 'side' | 'maker'> & {
  readonly number: number;
};

/** The rows of one run: their kinds are numbered as they come. */
export class RowTexts {
  readonly #kinds: RowKind[] = [];
  readonly #orders: OrderKind[] = [];
  readonly #fills: FillKind[] = [];

  /** The text that the rows of each kind share, which short rows lack. */
  get shared(): string {
    return this.#kinds.map(({ text }) => text).join('');
  }

  /** Adds the short form of the row that {@link TrackedOrder.toRow} returns. */
  addOrder(rows: RowSpill, order: TrackedOrder): void {
    const { text } = rows;
    const { lastAttempt, reported } = order;
    const completedMs = order.isUnchecked ? undefined : order.completedMs;
    text.number(this.#kindOfOrder(order));
    text.byte(lineBreak);
    addNumber(text, order.intentId);
    addText(text, order.key);
    addText(text, order.level);
    addText(text, order.tag);
    addText(text, order.priceText);
    addText(text, order.volumeText);
    addText(text, order.stopPriceText);
    addText(text, order.terms.pays);
    const idStart = text.length;
    addText(text, order.clientOrderId);
    // The id depends on the name of the bot, which may change without consequences.
    rows.exclude(idStart);
    addText(text, order.reason);
    addNumber(text, order.createdMs);
    addNumber(text, order.validUntilMs);
    addNumber(text, order.expiresMs);
    addText(text, order.orderId);
    addNumber(text, order.attempts);
    addNumber(text, lastAttempt?.timestampMs);
    addNumber(text, lastAttempt?.ttlMs);
    addNumber(text, order.cancelRequestedMs);
    if (reported !== noSums) {
      addText(text, formatAmount(reported.base));
      addText(text, formatAmount(reported.counter));
      addText(text, formatAmount(reported.feeBase));
      addText(text, formatAmount(reported.feeCounter));
    }
    addNumber(text, completedMs);
  }

  /** Adds the short form of a fill. */
  addFill({ text }: RowSpill, row: FillRow): void {
    text.number(this.#kindOfFill(row));
    text.byte(lineBreak);
    addText(text, row.sequence);
    addText(text, row.orderId);
    addNumber(text, row.intentId);
    addText(text, row.price);
    addText(text, row.volume);
    addText(text, row.base);
    addText(text, row.counter);
    addText(text, row.feeBase);
    addText(text, row.feeCounter);
    addNumber(text, row.tradedMs);
  }

  /**
   * Yields the long rows of pieces of one or more short ones, some at a time, valid until the next
   * ones.
   */
  *long(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
    // The last row usually fits behind a piece.
    const text = new JsonBytes(pieceLength + rowLength);
    for (const piece of pieces)
      for (let start = 0; start < piece.length; ) {
        start = this.#addLong(text, piece, start);
        if (text.length < pieceLength) continue;
        yield text.bytes.subarray(0, text.length);
        text.length = 0;
      }
    if (text.length > 0) yield text.bytes.subarray(0, text.length);
  }

  #addLong(text: JsonBytes, short: Uint8Array, start: number): number {
    let number = 0;
    let at = start;
    for (; short[at] !== lineBreak; at++) number = number * 10 + (short[at] as number) - zero;
    return (this.#kinds[number] as RowKind).addLong(text, short, at + 1);
  }

  #kindOfOrder(order: TrackedOrder): number {
    const present = presentIn(order);
    for (const kind of this.#orders) if (isOrderOf(kind, order, present)) return kind.number;
    const { state, terms, pair, strategyId, baseAccountId, counterAccountId } = order;
    const { side, timeInForce } = terms;
    const members = order.reported === noSums ? orderMembers : [...orderMembers, ...sumMembers];
    const number = this.#kinds.push(new RowKind(order.toRow(), members)) - 1;
    this.#orders.push({
      ...{ number, present, side, state, timeInForce, pair, strategyId },
      ...{ baseAccountId, counterAccountId },
    });
    return number;
  }

  #kindOfFill(row: FillRow): number {
    const { pair, strategyId, side, maker } = row;
    for (const kind of this.#fills)
      if (
        kind.side === side &&
        kind.maker === maker &&
        kind.pair === pair &&
        kind.strategyId === strategyId
      )
        return kind.number;
    const number = this.#kinds.push(new RowKind(row, fillMembers)) - 1;
    this.#fills.push({ number, pair, strategyId, side, maker });
    return number;
  }
}

function presentIn(order: TrackedOrder): number {
  return (
    (order.level === undefined ? 0 : hasLevel) |
    (order.orderId === undefined ? 0 : hasOrderId) |
    (order.lastAttempt === undefined ? 0 : hasAttempt) |
    (order.cancelRequestedMs === undefined ? 0 : hasCancelRequest) |
    (order.isUnchecked || order.completedMs === undefined ? 0 : hasEnd) |
    (order.reported === noSums ? 0 : hasFills) |
    (order.doubt === 'none' ? 0 : isAmbiguous) |
    (order.terms.postOnly ? isPostOnly : 0) |
    (order.tag === undefined ? 0 : hasTag) |
    (order.expiresMs === undefined ? 0 : hasExpiry) |
    (order.terms.pays === undefined ? 0 : isMarket) |
    stopOf(order)
  );
}

function stopOf({ terms: { stop } }: TrackedOrder): number {
  if (stop === undefined) return 0;
  return stop.direction === 'ABOVE' ? hasStopAbove : hasStopBelow;
}

function isOrderOf(kind: OrderKind, order: TrackedOrder, present: number): boolean {
  const { terms } = order;
  return (
    kind.present === present &&
    kind.side === terms.side &&
    kind.state === order.state &&
    kind.timeInForce === terms.timeInForce &&
    kind.pair === order.pair &&
    kind.strategyId === order.strategyId &&
    kind.baseAccountId === order.baseAccountId &&
    kind.counterAccountId === order.counterAccountId
  );
}

/** Adds a text, unless it is undefined. */
function addText(text: JsonBytes, value: string | undefined): void {
  if (value === undefined) return;
  text.quoted(value);
  text.byte(lineBreak);
}

/** Adds a number, unless it is undefined. */
function addNumber(text: JsonBytes, value: number | undefined): void {
  if (value === undefined) return;
  text.number(value);
  text.byte(lineBreak);
}
