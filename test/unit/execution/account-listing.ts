/**
 * What an exchange lists of one account: trades, ledger rows, balances and orders, paged as the
 * documents say. Answers the calls of an ExecutionFixture.
 */
import { type Amount, amountOf, formatAmount } from '../../../src/domain/amount.ts';
import { Decimal } from '../../../src/domain/money.ts';
import { FillBook } from '../../../src/execution/fills/fill-book.ts';
import { ledgerDeltaOf } from '../../../src/execution/fills/trade-proofs.ts';
import { TradesSync } from '../../../src/execution/fills/trades-sync.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { LedgerSync } from '../../../src/execution/reconcile/ledger-sync.ts';
import { Reconciler } from '../../../src/execution/reconcile/reconciler.ts';
import { Demand } from '../../../src/execution/requests/demand.ts';
import type { Procedure } from '../../../src/execution/requests/procedure.ts';
import type { TransactionEntry } from '../../../src/venues/luno/api/operations/account-operations.ts';
import type {
  OrderRecord,
  UserTrade,
} from '../../../src/venues/luno/api/operations/order-operations.ts';
import type { Reply } from '../../../src/venues/luno/api/reply.ts';
import { tradeOfWire } from '../../support/wire-reader.ts';
import { ExecutionFixture, market, namespace, ok, refused, startMs } from './execution-fixture.ts';

const accounts = { XBT: '11', ZAR: '13' } as const;
type Currency = keyof typeof accounts;
type Parameters = Readonly<Record<string, unknown>>;

export class AccountListing {
  readonly harness: ExecutionFixture;
  readonly fills: FillBook;
  readonly ledger: LedgerSync;
  readonly trades: TradesSync;
  readonly reconciler: Reconciler;
  readonly listedTrades: UserTrade[] = [];
  readonly rows: Record<Currency, TransactionEntry[]> = { XBT: [], ZAR: [] };
  openOrders: OrderRecord[] = [];
  /** Every call that was answered, with its parameters. */
  readonly asked: { readonly operation: string; readonly parameters: Parameters }[] = [];
  /** Most rows of a page, whatever is asked for. */
  pageMax = 1_000;
  /** Answers in the place of the usual one; undefined for that. */
  instead: (operation: string, parameters: Parameters) => Reply | undefined = () => undefined;

  constructor(options: ConstructorParameters<typeof ExecutionFixture>[0] = {}) {
    this.harness = new ExecutionFixture(options);
    this.fills = new FillBook(this.harness.orders, namespace);
    this.ledger = new LedgerSync({
      budgets: {},
      orders: this.harness.orders,
      fills: this.fills,
      markets: new Map([[market.pair, market]]),
      accounts,
      restored: [],
      hasRoom: () => true,
    });
    this.trades = new TradesSync({
      orders: this.harness.orders,
      fills: this.fills,
      pair: market.pair,
      demand: new Demand(),
      completeBeforeMs: () => this.ledger.completeBeforeMs(market.pair),
    });
    this.reconciler = new Reconciler({
      orders: this.harness.orders,
      fills: this.fills,
      ledger: this.ledger,
      trades: [this.trades],
      namespace,
      budgets: { XBT: new Decimal('0.08'), ZAR: new Decimal('60000') },
    });
    this.deposit('XBT', '5');
    this.deposit('ZAR', '1000000');
  }

  /** Runs a procedure to its end, answering its calls; time moves where it waits. */
  run(procedure: Procedure<unknown>): void {
    let isDone = false;
    this.harness.spawn(
      (function* () {
        yield* procedure;
        isDone = true;
      })(),
    );
    for (let step = 0; !isDone; step++) {
      if (step > 20_000) throw new Error('the procedure does not end');
      if (this.harness.calls.length === 0) this.harness.advance(50);
      else this.answerAll();
    }
  }

  /** Answers every call that waits. */
  answerAll(): void {
    for (const { operation, parameters, resume } of this.harness.calls.splice(0)) {
      this.asked.push({ operation, parameters });
      resume(this.instead(operation, parameters) ?? this.answerTo(operation, parameters));
    }
  }

  deposit(currency: Currency, amount: string): void {
    this.#addRow(currency, amountOf(amount), undefined);
  }

  /** Adds a trade to the list and, unless it is held back, its rows to both ledgers. */
  trade(trade: UserTrade, witnesses: { readonly isListed?: boolean } = {}): void {
    if (witnesses.isListed !== false) this.listedTrades.push(trade);
    const { side, sums } = tradeOfWire(trade);
    const delta = ledgerDeltaOf(side, sums);
    this.#addRow('XBT', delta.base, trade);
    this.#addRow('ZAR', delta.counter, trade);
  }

  /** How often an operation was asked for. */
  count(operation: string): number {
    return this.asked.filter((one) => one.operation === operation).length;
  }

  answerTo(operation: string, parameters: Parameters): Reply {
    switch (operation) {
      case 'listtrades': {
        const { since, after_seq: after, limit } = parameters;
        const trades = this.listedTrades
          .filter((trade) => trade.timestamp >= Number(since ?? 0))
          .filter((trade) => after === undefined || BigInt(trade.sequence) >= BigInt(String(after)))
          .sort((a, b) => (BigInt(a.sequence) < BigInt(b.sequence) ? -1 : 1));
        return ok({ trades: trades.slice(0, Math.min(Number(limit), this.pageMax)) });
      }
      case 'transactions': {
        const { id, min_row: from, max_row: to } = parameters;
        if (Number(from) <= 0 || Number(to) - Number(from) > 1_000)
          return refused(400, 'ErrTooManyRowsRequested');
        const currency = id === accounts.XBT ? 'XBT' : 'ZAR';
        const rows = this.rows[currency].slice(Number(from) - 1, Number(to) - 1);
        return ok({ id, transactions: rows.slice(0, this.pageMax) });
      }
      case 'balance':
        return ok({ balance: (['XBT', 'ZAR'] as const).map((one) => this.#balanceOf(one)) });
      case 'listOrdersV2': {
        const { created_before: before, closed, limit } = parameters;
        const orders = (closed === true ? [] : this.openOrders)
          .filter((one) => before === undefined || one.creation_timestamp < Number(before))
          .sort((a, b) => b.creation_timestamp - a.creation_timestamp);
        return ok({ orders: orders.slice(0, Number(limit)) });
      }
      default:
        return refused(500, 'ErrInternal');
    }
  }

  #balanceOf(currency: Currency): object {
    const balance = this.rows[currency].at(-1)?.balance ?? '0';
    return { account_id: accounts[currency], asset: currency, balance, reserved: '0' };
  }

  #addRow(currency: Currency, delta: Amount, trade: UserTrade | undefined): void {
    const rows = this.rows[currency];
    const balance = formatAmount(amountOf(rows.at(-1)?.balance ?? '0') + delta);
    rows.push({
      row_index: rows.length + 1,
      timestamp: trade?.timestamp ?? startMs,
      account_id: accounts[currency],
      currency,
      kind: trade === undefined ? 'TRANSFER' : 'EXCHANGE',
      balance,
      balance_delta: formatAmount(delta),
      available: balance,
      available_delta: formatAmount(delta),
      description: '',
      detail_fields:
        trade === undefined
          ? undefined
          : { trade_details: { pair: trade.pair, sequence: trade.sequence } },
    } as unknown as TransactionEntry);
  }
}

/** Places an order that the exchange takes, and returns it. */
export function placeOpen(listing: AccountListing): TrackedOrder {
  const { harness } = listing;
  const order = harness.place();
  harness.answer('postorder', ok({ order_id: `BX${order.intentId}` }));
  return order;
}
