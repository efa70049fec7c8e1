/**
 * Compares what we believe with what the exchange says: open orders, fills, ledgers, balances. At
 * start, after every reconnect and once a minute. Until it balances, nothing new is placed.
 */
import type { OrderRecord } from '../interface/operations/orders.ts';
import type { Reply } from '../interface/reply.ts';
import { adoptRecord } from './adopting.ts';
import { clientOrderIdPrefix } from './client-order-id.ts';
import { Demand } from './demand.ts';
import type { Executor } from './executor.ts';
import type { FillBook } from './fill-book.ts';
import type { LedgerSync } from './ledger-sync.ts';
import { call, type Procedure, wait } from './procedure.ts';
import type { TradesSync } from './trades-sync.ts';

const periodMs = 60_000;
const retryMs = 2_000;
/** Differences that are explained within this are only the exchange's own lag. */
const settleMs = 60_000;
const listLimit = 1000;

type BalanceEntry = {
  readonly account_id: string;
  readonly balance: string;
  readonly reserved: string;
};

/** What one comparison found. `unreadable` says why it could not be made. */
type Comparison = {
  readonly unreadable: string | undefined;
  readonly differences: readonly string[];
};

export class Reconciler {
  readonly #executor: Executor;
  readonly #fills: FillBook;
  readonly #ledger: LedgerSync;
  readonly #trades: readonly TradesSync[];
  readonly #prefix: string;
  readonly #demand = new Demand();
  /** Open orders of our namespace that the store does not know; stopped once each. */
  readonly #orphans = new Set<string>();
  #isBalanced = false;
  #unbalancedSinceMs: number | undefined;
  /** Whether the present imbalance is an incident already. */
  #isReported = false;
  #rounds = 0;
  /** The comparison that was the last to begin when everything was put in doubt. */
  #doubtedRound: number | undefined;

  constructor(options: {
    readonly executor: Executor;
    readonly fills: FillBook;
    readonly ledger: LedgerSync;
    readonly trades: readonly TradesSync[];
    readonly namespace: string;
  }) {
    this.#executor = options.executor;
    this.#fills = options.fills;
    this.#ledger = options.ledger;
    this.#trades = options.trades;
    this.#prefix = clientOrderIdPrefix(options.namespace);
  }

  /** Whether the last comparison found everything equal. */
  get isBalanced(): boolean {
    return this.#isBalanced;
  }

  /** Number of comparisons made. */
  get rounds(): number {
    return this.#rounds;
  }

  /** Asks for a comparison now. */
  request(): void {
    this.#demand.ask();
  }

  /** Puts in doubt what was found so far, and asks for a comparison now. */
  doubt(): void {
    this.#isBalanced = false;
    this.#doubtedRound = this.#rounds;
    this.#demand.ask();
  }

  /** Runs for ever. */
  *run(): Procedure {
    for (;;) {
      const differences = yield* this.compare();
      // One that had begun before the doubt has partly seen what was before it.
      if (this.#doubtedRound === this.#rounds) continue;
      this.#conclude(differences);
      if (this.#isBalanced) yield* this.#demand.next(periodMs);
      else yield* wait(retryMs);
    }
  }

  /** Compares once. What cannot be read proves nothing, but is no anomaly either. */
  *compare(): Procedure<Comparison> {
    this.#rounds++;
    const unreadable = yield* this.#compareOpenOrders();
    if (unreadable !== undefined) return { unreadable, differences: [] };
    for (const trades of this.#trades)
      if (!(yield* trades.pass()))
        return { unreadable: 'the list of trades cannot be read', differences: [] };
    if (!(yield* this.#ledger.pass()))
      return { unreadable: 'the ledger cannot be read', differences: [] };
    const balances = yield* this.#compareBalances();
    const overdue = this.#fills.proofs.overdue(this.#executor.desk.nowMs, settleMs);
    return { ...balances, differences: [...balances.differences, ...overdue] };
  }

  *#compareOpenOrders(): Procedure<string | undefined> {
    const reply = yield* call({
      lane: 'resolve',
      operation: 'listOrdersV2',
      parameters: () => ({ limit: listLimit }),
    });
    if (reply.kind !== 'ok') return `open orders cannot be read: ${describe(reply)}`;
    const { orders } = reply.body as { readonly orders: readonly OrderRecord[] };
    const listed = new Set<string>();
    for (const record of orders) {
      listed.add(record.order_id);
      const order = this.#executor.tracker.find({
        orderId: record.order_id,
        clientOrderId: record.client_order_id,
      });
      if (order !== undefined) adoptRecord(this.#executor, order, record, 'open orders');
      else if (record.client_order_id.startsWith(this.#prefix)) this.#stopOrphan(record);
    }
    for (const order of this.#executor.tracker.live) {
      if (order.state !== 'open' || order.orderId === undefined) continue;
      if (listed.has(order.orderId) || orders.length >= listLimit) continue;
      order.completionHinted = true;
      order.changed.raise();
    }
    return undefined;
  }

  /** An order of ours that we do not know can only be a lost database: it must not stay. */
  #stopOrphan(record: OrderRecord): void {
    if (this.#orphans.has(record.order_id)) return;
    this.#orphans.add(record.order_id);
    const { desk } = this.#executor;
    desk.incident(
      'ORPHAN_ORDER',
      `open order ${record.order_id} carries our ${record.client_order_id}, which the store does not know; stopping it`,
    );
    desk.setTradingState('bot', 'HALTED', 'an open order of our namespace is not in our store');
    desk.spawn(stopUntilGone(record.order_id));
  }

  *#compareBalances(): Procedure<Comparison> {
    const before = this.#ledger.ledgers.map((ledger) => ledger.nextRow);
    const reply = yield* call({ lane: 'read', operation: 'balance', parameters: () => ({}) });
    if (reply.kind !== 'ok')
      return { unreadable: `balances cannot be read: ${describe(reply)}`, differences: [] };
    const { balance } = reply.body as { readonly balance: readonly BalanceEntry[] };
    // Rows may have come meanwhile: the balance must be the account's at one of these moments.
    if (!(yield* this.#ledger.pass()))
      return { unreadable: 'the ledger cannot be read', differences: [] };
    const differences: string[] = [];
    for (const [index, ledger] of this.#ledger.ledgers.entries()) {
      const entry = balance.find((one) => one.account_id === ledger.accountId);
      if (entry === undefined) {
        differences.push(`account ${ledger.accountId} is not listed`);
        continue;
      }
      const isKnown = ledger.hadBalance(entry.balance, before[index] ?? 1);
      if (isKnown === undefined)
        return { unreadable: `the ledger of ${ledger.currency} moves too fast`, differences: [] };
      const { balance: newest } = ledger.last ?? { balance: '0' };
      if (!isKnown)
        differences.push(
          `balance of ${ledger.currency} is ${entry.balance}, its ledger says ${newest}`,
        );
    }
    return { unreadable: undefined, differences };
  }

  #conclude({ unreadable, differences }: Comparison): void {
    const { desk } = this.#executor;
    if (unreadable === undefined && differences.length === 0) {
      if (!this.#isBalanced)
        desk.notice({
          level: 'info',
          topic: 'reconcile',
          text: `reconciled: ${this.#executor.tracker.liveCount} live orders, balances equal the ledger`,
        });
      this.#isBalanced = true;
      this.#unbalancedSinceMs = undefined;
      this.#isReported = false;
      return;
    }
    const wasBalanced = this.#isBalanced;
    this.#isBalanced = false;
    if (differences.length === 0) {
      if (wasBalanced || this.#rounds === 1)
        desk.notice({ level: 'warn', topic: 'reconcile', text: `${unreadable}; trying again` });
      return;
    }
    this.#unbalancedSinceMs ??= desk.nowMs;
    if (wasBalanced || this.#rounds === 1)
      desk.notice({
        level: 'warn',
        topic: 'reconcile',
        text: `does not balance: ${differences.join('; ')}`,
      });
    // A balance may have been told by a replica that lags; what stays is no lag.
    if (this.#isReported || desk.nowMs - this.#unbalancedSinceMs < settleMs) return;
    this.#isReported = true;
    desk.incident('DOES_NOT_BALANCE', differences.join('; '));
  }
}

function* stopUntilGone(orderId: string): Procedure {
  for (let attempt = 0; attempt < 100; attempt++) {
    const reply = yield* call({
      lane: 'cancel',
      operation: 'stoporder',
      parameters: () => ({ order_id: orderId }),
    });
    if (reply.kind === 'ok') return;
    if (reply.kind === 'refused' && reply.code === 'ErrCannotStopUnknownOrNonPendingOrder') return;
    yield* wait(2_000);
  }
}

function describe(reply: Reply): string {
  switch (reply.kind) {
    case 'ok':
      return 'ok';
    case 'refused':
      return `${reply.status} ${reply.code}`;
    case 'not-sent':
    case 'no-answer':
      return reply.reason;
  }
}
