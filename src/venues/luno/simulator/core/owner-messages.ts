/**
 * Creates the messages of the user stream about orders and accounts. Figures are cumulative where
 * the interface says so, so that a duplicate message does no harm.
 *
 * The figures of fills and balances are getters that make their text when it is read: an object
 * spread does not copy them.
 */
import type { Amount } from '../../../../domain/amount.ts';
import { formatLots, formatValue, type Market } from '../../../../domain/market.ts';
import type { Lots } from '../../../../domain/money.ts';
import type { AccountOrder, AccountTrade } from '../../../../exchange-accounts/account-order.ts';
import { productOf } from '../../../../exchange-accounts/fee-schedule.ts';
import type { LedgerAccount, LedgerRow } from '../../../../exchange-accounts/ledger.ts';
import type { BalanceUpdate, OrderFillUpdate, UserMessage } from '../../api/user-messages.ts';
import type { AmountFormat } from './amount-format.ts';

/** A message about an order or an account. */
export type OwnerMessage = Extract<
  UserMessage,
  { readonly kind: 'order-status' | 'order-fill' | 'balance' }
>;

/** Returns the message about an order's new status. */
export function orderStatusMessage(order: AccountOrder, timeMs: number): OwnerMessage {
  const update = {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    market_id: order.pair,
    status: order.status,
  };
  return { kind: 'order-status', timestamp: timeMs, update };
}

/** Returns the message about a trade: the order's sums after it, and the trade's own amounts. */
export function orderFillMessage(
  order: AccountOrder,
  trade: AccountTrade,
  market: Market,
  format: AmountFormat,
): Extract<OwnerMessage, { readonly kind: 'order-fill' }> {
  const update = new LazyOrderFill(order, trade, market, format);
  return { kind: 'order-fill', timestamp: trade.timeMs, update };
}

/** Returns the message about a new ledger row. */
export function balanceMessage(
  { id }: LedgerAccount,
  row: LedgerRow,
  format: AmountFormat,
): OwnerMessage {
  return { kind: 'balance', timestamp: row.timeMs, update: new LazyBalance(id, row, format) };
}

/** The update of an order by a trade. Texts are made when they are read; most never are. */
class LazyOrderFill implements OrderFillUpdate {
  readonly order_id: string;
  readonly client_order_id: string;
  readonly market_id: string;
  readonly #trade: AccountTrade;
  readonly #market: Market;
  readonly #format: AmountFormat;
  // Copies of the order's sums, which later trades change.
  readonly #filled: Lots;
  readonly #filledValue: bigint;
  readonly #feeBase: Amount;
  readonly #feeCounter: Amount;

  constructor(order: AccountOrder, trade: AccountTrade, market: Market, format: AmountFormat) {
    this.order_id = order.id;
    this.client_order_id = order.clientOrderId;
    this.market_id = order.pair;
    this.#trade = trade;
    this.#market = market;
    this.#format = format;
    this.#filled = order.filled;
    this.#filledValue = order.filledValue;
    this.#feeBase = order.feeBase;
    this.#feeCounter = order.feeCounter;
  }

  get base_fill(): string {
    return formatLots(this.#filled, this.#market);
  }

  get counter_fill(): string {
    return formatValue(this.#filledValue, this.#market);
  }

  get base_delta(): string {
    return formatLots(this.#trade.volume, this.#market);
  }

  get counter_delta(): string {
    return formatValue(productOf(this.#trade.price, this.#trade.volume), this.#market);
  }

  get base_fee(): string {
    return this.#format(this.#feeBase);
  }

  get counter_fee(): string {
    return this.#format(this.#feeCounter);
  }

  get base_fee_delta(): string {
    return this.#format(this.#trade.feeBase);
  }

  get counter_fee_delta(): string {
    return this.#format(this.#trade.feeCounter);
  }
}

/** The update of an account by a ledger row. Texts are made when they are read. */
class LazyBalance implements BalanceUpdate {
  readonly account_id: string;
  readonly row_index: number;
  readonly #row: LedgerRow;
  readonly #format: AmountFormat;

  constructor(accountId: string, row: LedgerRow, format: AmountFormat) {
    this.account_id = accountId;
    this.row_index = row.rowIndex;
    this.#row = row;
    this.#format = format;
  }

  get balance(): string {
    return this.#format(this.#row.balance);
  }

  get balance_delta(): string {
    return this.#format(this.#row.balanceDelta);
  }

  get available(): string {
    return this.#format(this.#row.available);
  }

  get available_delta(): string {
    return this.#format(this.#row.availableDelta);
  }
}
