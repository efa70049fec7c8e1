/** A reader of a venue that answers as Luno's wire does, and whole records for its answers. */
import { isWrong, wrongText } from '../../src/venue/row-checks.ts';
import type { VenueReader } from '../../src/venue/venue-reader.ts';
import type { MovementView, OrderView, TradeView } from '../../src/venue/venue-reply.ts';
import { movementViewOf } from '../../src/venues/luno/adapter/decode-accounts.ts';
import { orderViewOf, tradeViewOf } from '../../src/venues/luno/adapter/decode-orders.ts';
import { createLunoReader } from '../../src/venues/luno/adapter/reader.ts';
import type { ParametersOf, ResponseOf } from '../../src/venues/luno/api/operation.ts';
import type { TransactionEntry } from '../../src/venues/luno/api/operations/account-operations.ts';
import type {
  OrderRecord,
  UserTrade,
} from '../../src/venues/luno/api/operations/order-operations.ts';
import type { OperationName, Operations } from '../../src/venues/luno/api/operations.ts';

/** What answers each operation. */
export type WireAnswers = {
  readonly [Name in OperationName]?: (
    parameters: ParametersOf<Operations[Name]>,
  ) => Promise<ResponseOf<Operations[Name]>>;
};

/** Returns a reader of a venue that gives `answers`, and no others. */
export function wireReader(answers: WireAnswers): VenueReader {
  return createLunoReader(async (name, parameters) => {
    const answer = answers[name];
    if (answer === undefined) return { kind: 'not-sent', reason: `no ${name} in this test` };
    return { kind: 'ok', status: 200, body: await answer(parameters as never) } as never;
  });
}

/** Returns the record of a limit order that is open, and has no trades. */
export function wireOrder(change: Partial<OrderRecord> = {}): OrderRecord {
  return {
    ...{ order_id: 'BX1', client_order_id: '', pair: 'XBTZAR', side: 'BUY', type: 'LIMIT' },
    ...{ status: 'PENDING', time_in_force: 'GTC', limit_price: '1000000', limit_volume: '0.01' },
    ...{ base: '0', counter: '0', fee_base: '0', fee_counter: '0' },
    ...{ base_account_id: '11', counter_account_id: '13', creation_timestamp: 1 },
    ...{ completed_timestamp: 0, expiration_timestamp: 0, stop_direction: '' },
    stop_price: undefined,
    ...change,
  };
}

/** Returns a trade in which we bought 0.01 as the maker. */
export function wireTrade(change: Partial<UserTrade> = {}): UserTrade {
  return {
    ...{ order_id: 'BX1', client_order_id: '', pair: 'XBTZAR', sequence: '7', is_buy: false },
    ...{ type: 'BID', price: '1000000', volume: '0.01', base: '0.01', counter: '10000' },
    ...{ fee_base: '0', fee_counter: '0', timestamp: 1 },
    ...change,
  };
}

/** Returns a ledger row that changes nothing. */
export function wireEntry(change: Partial<TransactionEntry> = {}): TransactionEntry {
  return {
    ...{ row_index: 1, timestamp: 1, account_id: '11', currency: 'XBT', balance: '0' },
    ...{ balance_delta: '0', available: '0', available_delta: '0', description: '' },
    ...{ reference: '', kind: 'EXCHANGE' },
    ...change,
  };
}

/** Returns what the adapter reads in a record. Throws for one that it refuses. */
export function orderOfWire(record: OrderRecord): OrderView {
  return trueOne(orderViewOf(record));
}

export function tradeOfWire(trade: UserTrade): TradeView {
  return trueOne(tradeViewOf(trade, trade.pair));
}

export function movementOfWire(entry: TransactionEntry): MovementView {
  return trueOne(movementViewOf(entry, entry.account_id));
}

function trueOne<View extends object>(view: View): Exclude<View, { readonly rule: string }> {
  if (isWrong(view)) throw new Error(wrongText(view));
  return view as Exclude<View, { readonly rule: string }>;
}
