/**
 * The texts of orders and fills as they stand in the result file. Each is made once, when the row
 * is final, as bytes that are then only copied.
 *
 * Invariant: the text of a row equals `JSON.stringify(row, null, 1)`, indented by two spaces and
 * after a comma, for a row whose members have the order of their type. Sides, states and amounts
 * have no character that JSON would escape.
 */
import type { FillRow, OrderRow } from '../../domain/records.ts';
import type { JsonBytes } from '../../store/json-bytes.ts';

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
const stateEnd = bytesOf('"');
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

  /** Adds the text of an order. */
  addOrder(text: JsonBytes, row: OrderRow): void {
    const kind = this.#kindOfOrder(row);
    text.add(beforeOrder);
    text.number(row.intentId);
    text.add(kind.toKey);
    text.quoted(row.key);
    if (row.level !== undefined) {
      text.add(toLevel);
      text.quoted(row.level);
    }
    text.add(kind.toPrice);
    text.plain(row.price);
    text.add(toVolume);
    text.plain(row.volume);
    text.add(kind.toId);
    text.quoted(row.clientOrderId);
    text.add(toReason);
    text.quoted(row.reason);
    addNumber(text, toCreated, row.createdMs);
    addNumber(text, toValidUntil, row.validUntilMs);
    text.add(toState);
    text.plain(row.state);
    if (row.orderId === undefined) text.add(stateEnd);
    else {
      text.add(toOrderId);
      text.quoted(row.orderId);
    }
    addNumber(text, toAttempts, row.attempts);
    addNumber(text, toTimestamp, row.lastTimestampMs);
    addNumber(text, toTtl, row.lastTtlMs);
    text.add(row.ambiguous ? isAmbiguous : isCertain);
    addNumber(text, toCancelRequested, row.cancelRequestedMs);
    addSums(text, row);
    text.add(stateEnd);
    addNumber(text, toCompleted, row.completedMs);
    text.add(end);
  }

  /** Adds the text of a fill. */
  addFill(text: JsonBytes, row: FillRow): void {
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
    text.add(stateEnd);
    addSums(text, row);
    text.add(toTraded);
    text.number(row.tradedMs);
    text.add(row.maker ? isMaker : isTaker);
  }

  #kindOfOrder(row: OrderRow): OrderKind {
    for (const kind of this.#orders) if (isOrderOf(kind, row)) return kind;
    const { strategyId, pair, side, timeInForce, postOnly, baseAccountId, counterAccountId } = row;
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

function isOrderOf(kind: OrderKind, row: OrderRow): boolean {
  return (
    kind.side === row.side &&
    kind.pair === row.pair &&
    kind.strategyId === row.strategyId &&
    kind.timeInForce === row.timeInForce &&
    kind.postOnly === row.postOnly &&
    kind.baseAccountId === row.baseAccountId &&
    kind.counterAccountId === row.counterAccountId
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

/** Adds the amounts of a row, without the last quote. */
function addSums(
  text: JsonBytes,
  row: Pick<FillRow, 'base' | 'counter' | 'feeBase' | 'feeCounter'>,
): void {
  text.add(toBase);
  text.plain(row.base);
  text.add(toCounter);
  text.plain(row.counter);
  text.add(toFeeBase);
  text.plain(row.feeBase);
  text.add(toFeeCounter);
  text.plain(row.feeCounter);
}

function member(name: string): Uint8Array {
  return bytesOf(`${to}"${name}": `);
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text));
}
