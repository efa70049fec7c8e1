/**
 * The text of an order or a fill as it stands in the result file. It is made when the row is final
 * and then only copied.
 *
 * Invariant: the text equals `JSON.stringify(row, null, 1)`, indented by {@link rowIndent}, for a
 * row whose members have the order of their type. Sides, states and amounts have no character
 * that JSON would escape.
 */
import type { FillRow, OrderRow } from '../../domain/records.ts';

/** The indent of the rows of a list. */
export const rowIndent = '  ';

// Three spaces before each member: the indent of the row, and one more.
const to = ',\n   ';

/** Returns the text of an order. */
export function orderTextOf(row: OrderRow): string {
  const { level, orderId, lastTimestampMs, lastTtlMs, cancelRequestedMs, completedMs } = row;
  return (
    `{\n   "intentId": ${row.intentId}${to}"strategyId": ${JSON.stringify(row.strategyId)}` +
    `${to}"key": ${JSON.stringify(row.key)}` +
    `${level === undefined ? '' : `${to}"level": ${JSON.stringify(level)}`}` +
    `${to}"pair": "${row.pair}"${to}"side": "${row.side}"${to}"price": "${row.price}"` +
    `${to}"volume": "${row.volume}"${to}"timeInForce": "${row.timeInForce}"` +
    `${to}"postOnly": ${row.postOnly}` +
    `${to}"baseAccountId": ${JSON.stringify(row.baseAccountId)}` +
    `${to}"counterAccountId": ${JSON.stringify(row.counterAccountId)}` +
    `${to}"clientOrderId": ${JSON.stringify(row.clientOrderId)}` +
    `${to}"reason": ${JSON.stringify(row.reason)}${to}"createdMs": ${row.createdMs}` +
    `${to}"validUntilMs": ${row.validUntilMs}${to}"state": "${row.state}"` +
    `${orderId === undefined ? '' : `${to}"orderId": ${JSON.stringify(orderId)}`}` +
    `${to}"attempts": ${row.attempts}` +
    `${lastTimestampMs === undefined ? '' : `${to}"lastTimestampMs": ${lastTimestampMs}`}` +
    `${lastTtlMs === undefined ? '' : `${to}"lastTtlMs": ${lastTtlMs}`}` +
    `${to}"ambiguous": ${row.ambiguous}` +
    `${cancelRequestedMs === undefined ? '' : `${to}"cancelRequestedMs": ${cancelRequestedMs}`}` +
    `${to}"base": "${row.base}"${to}"counter": "${row.counter}"` +
    `${to}"feeBase": "${row.feeBase}"${to}"feeCounter": "${row.feeCounter}"` +
    `${completedMs === undefined ? '' : `${to}"completedMs": ${completedMs}`}\n  }`
  );
}

/** Returns the text of a fill. */
export function fillTextOf(row: FillRow): string {
  return (
    `{\n   "pair": "${row.pair}"${to}"sequence": ${JSON.stringify(row.sequence)}` +
    `${to}"orderId": ${JSON.stringify(row.orderId)}${to}"intentId": ${row.intentId}` +
    `${to}"strategyId": ${JSON.stringify(row.strategyId)}${to}"side": "${row.side}"` +
    `${to}"price": "${row.price}"${to}"volume": "${row.volume}"` +
    `${to}"base": "${row.base}"${to}"counter": "${row.counter}"` +
    `${to}"feeBase": "${row.feeBase}"${to}"feeCounter": "${row.feeCounter}"` +
    `${to}"tradedMs": ${row.tradedMs}${to}"maker": ${row.maker}\n  }`
  );
}
