/**
 * The texts of orders and fills as they stand in the result file. Each is made once, when the row
 * is final, as bytes that are then only copied.
 *
 * Invariant: the text of a row equals `JSON.stringify(row, null, 1)`, indented by two spaces and
 * after a comma, for a row whose members have the order of their type. Sides, states and amounts
 * have no character that JSON would escape.
 */
import { formatAmount } from '../../domain/amount.ts';
import type { FillRow, OrderRow } from '../../domain/records.ts';
import { noSums } from '../../execution/orders/sums.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import type { JsonBytes } from '../../store/json-bytes.ts';
import type { RowSpill } from '../../store/row-spill.ts';

/** More kinds of rows than a run has, unless its strategies have very many pairs. */
const kindsMax = 64;

/** The members that many orders share, and the texts between those that differ. */
type OrderKind = Pick<
  OrderRow,
  'strategyId' | 'pair' | 'side' | 'timeInForce' | 'postOnly' | 'baseAccountId' | 'counterAccountId'
> & { readonly toKey: Uint8Array; readonly toPrice: Uint8Array; readonly toId: Uint8Array };

type FillKind = Pick<FillRow, 'pair' | 'strategyId' | 'side'> & {
  readonly toSequence: Uint8Array;
  readonly toPrice: Uint8Array;
};

// Three spaces before each member: the indent of the row, and one more.
const to = ',\n   ';

const beforeOrder = bytesOf(',\n  {\n   "intentId": ');
const toLevel = member('level');
const toVolume = bytesOf(`"${to}"volume": "`);
const toReason = member('reason');
const toCreated = member('createdMs');
const toValidUntil = member('validUntilMs');
const toState = bytesOf(`${to}"state": "`);
const toOrderId = bytesOf(`"${to}"orderId": `);
const quote = bytesOf('"');
const toAttempts = member('attempts');
const toTimestamp = member('lastTimestampMs');
const toTtl = member('lastTtlMs');
const isAmbiguous = bytesOf(`${to}"ambiguous": true`);
const isCertain = bytesOf(`${to}"ambiguous": false`);
const toCancelRequested = member('cancelRequestedMs');
const toBase = bytesOf(`${to}"base": "`);
const toCounter = bytesOf(`"${to}"counter": "`);
const toFeeBase = bytesOf(`"${to}"feeBase": "`);
const toFeeCounter = bytesOf(`"${to}"feeCounter": "`);
const unfilled = bytesOf(
  `${to}"base": "0"${to}"counter": "0"${to}"feeBase": "0"${to}"feeCounter": "0"`,
);
const toCompleted = member('completedMs');
const toFillOrder = member('orderId');
const toIntent = member('intentId');
const toTraded = bytesOf(`"${to}"tradedMs": `);
const isMaker = bytesOf(`${to}"maker": true\n  }`);
const isTaker = bytesOf(`${to}"maker": false\n  }`);
const end = bytesOf('\n  }');

/** Writes rows of a run, and remembers the texts that its rows share. */
export class RowTexts {
  readonly #orders: OrderKind[] = [];
  readonly #fills: FillKind[] = [];

  /** Adds the text of an order: the row that {@link TrackedOrder.toRow} returns. */
  addOrder(rows: RowSpill, order: TrackedOrder): void {
    const { text } = rows;
    const kind = this.#kindOfOrder(order);
    text.add(beforeOrder);
    text.number(order.intentId);
    text.add(kind.toKey);
    text.quoted(order.key);
    if (order.level !== undefined) {
      text.add(toLevel);
      text.quoted(order.level);
    }
    text.add(kind.toPrice);
    text.plain(order.priceText);
    text.add(toVolume);
    text.plain(order.volumeText);
    text.add(kind.toId);
    const idStart = text.length;
    text.quoted(order.clientOrderId);
    // The id depends on the name of the bot, which may change without consequences.
    rows.exclude(idStart);
    text.add(toReason);
    text.quoted(order.reason);
    addNumber(text, toCreated, order.createdMs);
    addNumber(text, toValidUntil, order.validUntilMs);
    text.add(toState);
    text.plain(order.state);
    if (order.orderId === undefined) text.add(quote);
    else {
      text.add(toOrderId);
      text.quoted(order.orderId);
    }
    addNumber(text, toAttempts, order.attempts);
    addNumber(text, toTimestamp, order.lastAttempt?.timestampMs);
    addNumber(text, toTtl, order.lastAttempt?.ttlMs);
    text.add(order.doubt === 'none' ? isCertain : isAmbiguous);
    addNumber(text, toCancelRequested, order.cancelRequestedMs);
    if (order.reported === noSums) text.add(unfilled);
    else {
      const { base, counter, feeBase, feeCounter } = order.reported;
      addSum(text, toBase, formatAmount(base));
      addSum(text, toCounter, formatAmount(counter));
      addSum(text, toFeeBase, formatAmount(feeBase));
      addSum(text, toFeeCounter, formatAmount(feeCounter));
      text.add(quote);
    }
    addNumber(text, toCompleted, order.isUnchecked ? undefined : order.completedMs);
    text.add(end);
  }

  /** Adds the text of a fill. */
  addFill({ text }: RowSpill, row: FillRow): void {
    const kind = this.#kindOfFill(row);
    text.add(kind.toSequence);
    text.quoted(row.sequence);
    text.add(toFillOrder);
    text.quoted(row.orderId);
    addNumber(text, toIntent, row.intentId);
    text.add(kind.toPrice);
    text.plain(row.price);
    text.add(toVolume);
    text.plain(row.volume);
    text.add(quote);
    addSum(text, toBase, row.base);
    addSum(text, toCounter, row.counter);
    addSum(text, toFeeBase, row.feeBase);
    addSum(text, toFeeCounter, row.feeCounter);
    text.add(toTraded);
    text.number(row.tradedMs);
    text.add(row.maker ? isMaker : isTaker);
  }

  #kindOfOrder(order: TrackedOrder): OrderKind {
    for (const kind of this.#orders) if (isOrderOf(kind, order)) return kind;
    const { strategyId, pair, terms, baseAccountId, counterAccountId } = order;
    const { side, timeInForce, postOnly } = terms;
    const kind = {
      ...{ strategyId, pair, side, timeInForce, postOnly, baseAccountId, counterAccountId },
      toKey: bytesOf(`${to}"strategyId": ${JSON.stringify(strategyId)}${to}"key": `),
      toPrice: bytesOf(`${to}"pair": "${pair}"${to}"side": "${side}"${to}"price": "`),
      toId: bytesOf(
        `"${to}"timeInForce": "${timeInForce}"${to}"postOnly": ${postOnly}` +
          `${to}"baseAccountId": ${JSON.stringify(baseAccountId)}` +
          `${to}"counterAccountId": ${JSON.stringify(counterAccountId)}${to}"clientOrderId": `,
      ),
    };
    keep(this.#orders, kind);
    return kind;
  }

  #kindOfFill(row: FillRow): FillKind {
    for (const kind of this.#fills)
      if (kind.pair === row.pair && kind.strategyId === row.strategyId && kind.side === row.side)
        return kind;
    const { pair, strategyId, side } = row;
    const kind = {
      ...{ pair, strategyId, side },
      toSequence: bytesOf(`,\n  {\n   "pair": "${pair}"${to}"sequence": `),
      toPrice: bytesOf(
        `${to}"strategyId": ${JSON.stringify(strategyId)}${to}"side": "${side}"${to}"price": "`,
      ),
    };
    keep(this.#fills, kind);
    return kind;
  }
}

function isOrderOf(kind: OrderKind, order: TrackedOrder): boolean {
  const { terms } = order;
  return (
    kind.side === terms.side &&
    kind.pair === order.pair &&
    kind.strategyId === order.strategyId &&
    kind.timeInForce === terms.timeInForce &&
    kind.postOnly === terms.postOnly &&
    kind.baseAccountId === order.baseAccountId &&
    kind.counterAccountId === order.counterAccountId
  );
}

function keep<Kind>(kinds: Kind[], kind: Kind): void {
  if (kinds.length === kindsMax) kinds.length = 0;
  kinds.push(kind);
}

/** Adds the name and value of a member; nothing if it is undefined. */
function addNumber(text: JsonBytes, name: Uint8Array, value: number | undefined): void {
  if (value === undefined) return;
  text.add(name);
  text.number(value);
}

/** Adds the name and value of an amount, without the last quote. */
function addSum(text: JsonBytes, name: Uint8Array, amount: string): void {
  text.add(name);
  text.plain(amount);
}

function member(name: string): Uint8Array {
  return bytesOf(`${to}"${name}": `);
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text));
}
