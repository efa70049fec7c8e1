/**
 * Orders of ours at the exchange that the database does not know: it was restored from a backup, or
 * it is gone. They are found before a run begins, so that they become orders of the run.
 *
 * Invariant: it is the number in a client_order_id that tells: one that the database has never
 * given can only come from a life that it does not remember.
 */
import type { Client } from '../../client/client.ts';
import { listOrders } from '../../client/list-orders.ts';
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { SafetyRefusedError } from '../../domain/errors.ts';
import { decimalOf, formatDecimal } from '../../domain/money.ts';
import type { OrderRow, Restored } from '../../domain/records.ts';
import type { LostOrders } from '../../engine/engine-start.ts';
import type { OrderRecord } from '../../exchange-api/operations/order-operations.ts';
import { clientOrderIdPrefix } from '../../execution/orders/client-order-id.ts';
import { millraceCommand } from '../../terminal/command-hints.ts';

/** Closed orders are read back to this much before the newest order that the database knows. */
const marginMs = 60_000;
/** How far back the lists are read at most, in pages. */
const pagesMax = 20;

export type LostOrderOptions = {
  readonly namespace: string;
  /** Name of the venue. */
  readonly venue: string;
  readonly strategies: readonly StrategySettings[];
  readonly restored: Restored;
  readonly nowMs: number;
  readonly isLive: boolean;
  /** Somebody said that a new database is to take over what is open. */
  readonly isAdopting: boolean;
};

/**
 * Returns what was lost, or undefined. Throws SafetyRefusedError where a new database meets open
 * orders of its namespace in live mode.
 */
export async function findLostOrders(
  client: Pick<Client, 'listOrdersV2'>,
  options: LostOrderOptions,
): Promise<LostOrders | undefined> {
  const { restored, namespace, isLive, isAdopting } = options;
  const isNew = restored.intentIdNext === 1;
  const open = await listOrders(client, { closed: false, pagesMax });
  const sinceMs = Math.max(0, ...restored.orders.map((row) => row.createdMs)) - marginMs;
  // A new database has no newest order; what is closed is history that it does not need.
  const closed = isNew ? [] : await listOrders(client, { closed: true, sinceMs, pagesMax });
  const known = new Set(restored.orders.map((row) => row.clientOrderId));
  const records = new Map<string, OrderRecord>();
  for (const record of [...open, ...closed]) {
    const number = intentIdOf(record.client_order_id, namespace);
    const isUnknown = number !== undefined && number >= restored.intentIdNext;
    if (isUnknown && !known.has(record.client_order_id)) records.set(record.order_id, record);
  }
  if (records.size === 0) return undefined;
  const what = `${records.size} orders of namespace ${namespace}`;
  if (!isNew) {
    const text = `the exchange has ${what} that this database does not know: it is older than they are, as a restored backup is`;
    return { orders: rowsOf([...records.values()], options), haltReason: text };
  }
  if (isAdopting) return { orders: rowsOf([...records.values()], options) };
  if (isLive)
    throw new SafetyRefusedError(
      `the database is new, and the exchange has ${what} open: put the database back, ` +
        `or start with --adopt, which takes them over, or stop them with: ${panicCommand(options)} ; ` +
        "if they are another bot's, give this one a namespace of its own",
    );
  return {
    orders: [],
    haltReason: `the database is new, and the exchange has ${what} open; they are stopped. Start with --adopt to take them over instead`,
  };
}

function panicCommand({ namespace, venue }: LostOrderOptions): string {
  return millraceCommand(`panic --namespace ${namespace} --venue ${venue}`);
}

/** Returns the number of the intent in an id of this namespace, else undefined. */
function intentIdOf(clientOrderId: string, namespace: string): number | undefined {
  const prefix = clientOrderIdPrefix(namespace);
  if (!clientOrderId.startsWith(prefix)) return undefined;
  const [number = ''] = clientOrderId.slice(prefix.length).split('-');
  if (!/^[0-9a-z]{1,10}$/u.test(number)) return undefined;
  return Number.parseInt(number, 36);
}

function rowsOf(
  records: readonly OrderRecord[],
  { namespace, strategies, nowMs }: LostOrderOptions,
): readonly OrderRow[] {
  const rows: OrderRow[] = [];
  const used = new Set<number>();
  for (const record of records) {
    const intentId = intentIdOf(record.client_order_id, namespace) ?? 0;
    // On a pair that nobody trades any more it still needs an owner; the start cancels it as such.
    const strategy = strategies.find((one) => one.pairs.includes(record.pair)) ?? strategies[0];
    if (strategy === undefined || record.type !== 'LIMIT' || used.has(intentId)) continue;
    used.add(intentId);
    rows.push(rowOf(record, intentId, strategy.id, nowMs));
  }
  return rows.sort((a, b) => a.intentId - b.intentId);
}

function rowOf(record: OrderRecord, intentId: number, strategyId: string, nowMs: number): OrderRow {
  const plain = (amount: string): string => formatDecimal(decimalOf(amount));
  const isComplete = record.status === 'COMPLETE' || record.completed_timestamp > 0;
  const timeInForce = record.time_in_force;
  return {
    intentId,
    strategyId,
    key: `lost.${record.client_order_id}`,
    level: undefined,
    pair: record.pair,
    side: record.side === 'BUY' ? 'BID' : 'ASK',
    price: plain(record.limit_price),
    volume: plain(record.limit_volume),
    timeInForce: timeInForce === 'IOC' || timeInForce === 'FOK' ? timeInForce : 'GTC',
    postOnly: false,
    baseAccountId: record.base_account_id,
    counterAccountId: record.counter_account_id,
    reason: 'found at the exchange: the database did not know it',
    clientOrderId: record.client_order_id,
    createdMs: record.creation_timestamp,
    validUntilMs: record.creation_timestamp,
    state: isComplete ? 'completing' : 'open',
    orderId: record.order_id,
    attempts: 1,
    lastTimestampMs: undefined,
    lastTtlMs: undefined,
    ambiguous: false,
    // Nobody remembers what it was for.
    cancelRequestedMs: nowMs,
    base: plain(record.base),
    counter: plain(record.counter),
    feeBase: plain(record.fee_base),
    feeCounter: plain(record.fee_counter),
    completedMs: isComplete ? record.completed_timestamp || nowMs : undefined,
  };
}
