/**
 * Compares our open orders, fills, ledgers and balances with the exchange's, and our positions with
 * the ledger: at start, after every reconnect and once a minute.
 *
 * Invariants: until everything balances, no order is placed, not even a reducing one; a difference
 * that lasts a minute is an incident, and a large one halts the bot until a person resumes it.
 * Orders outside our namespace are counted and never touched.
 */
import { formatAmount } from '../../domain/amount.ts';
import { type Decimal, decimalOf } from '../../domain/money.ts';
import type { FillBook } from '../fills/fill-book.ts';
import type { TradesSync } from '../fills/trades-sync.ts';
import { clientOrderIdPrefix } from '../orders/client-order-id.ts';
import type { OrderStates } from '../orders/order-states.ts';
import { Demand } from '../requests/demand.ts';
import { call, describeFailure, type Procedure, Signal, wait } from '../requests/procedure.ts';
import type { SafetyRead } from '../requests/read-plan.ts';
import { isStopped } from './cancel-all.ts';
import { applyOpenOrders, readOpenOrders } from './check-open-orders.ts';
import type { LedgerSync } from './ledger-sync.ts';

const periodMs = 60_000;
const retryMs = 2_000;
/** The minimum time between comparisons, each of which takes several calls. */
const spacingMs = 10_000;
/** Differences that disappear within this time are due to a lag of the exchange. */
const settleMs = 60_000;
/** The number of consecutive comparisons with a grave difference that halts the bot. */
const differingMin = 5;
/** The share of a currency's budget that may differ without being grave. */
const budgetShare = '0.01';

/**
 * The result of one comparison. `unreadable` is the reason why it could not be made; `grave` has
 * the differences that halt the bot if they last.
 */
type Comparison = {
  readonly unreadable: string | undefined;
  readonly differences: readonly string[];
  readonly grave: readonly string[];
};

/** Returns the usual comparison: open orders, trades of each pair, ledgers, and balances. */
export function comparisonRead(pairs: number, accounts: number): SafetyRead {
  return { idleMs: periodMs, spacingMs: 0, busyMs: 0, calls: 2 + pairs + accounts };
}

export class Reconciler {
  readonly #orders: OrderStates;
  readonly #fills: FillBook;
  readonly #ledger: LedgerSync;
  readonly #trades: readonly TradesSync[];
  readonly #prefix: string;
  readonly #budgets: Readonly<Record<string, Decimal>>;
  readonly #demand = new Demand();
  readonly #invalidated = new Signal();
  /** Open orders of our namespace that are not in the store, as of the last list. */
  #orphans = new Set<string>();
  /** Orphan orders whose stop is in progress. */
  readonly #stopping = new Set<string>();
  /** Number of open orders outside our namespace, as of the last list. */
  #externalOrders = 0;
  #isBalanced = false;
  /** What the last comparison found, as text; undefined before the first and if all is equal. */
  #trouble: string | undefined;
  #unbalancedSinceMs: number | undefined;
  /** Whether the current imbalance has been recorded as an incident. */
  #isReported = false;
  /** Number of consecutive comparisons with a grave difference. */
  #graveInARow = 0;
  #rounds = 0;
  /** The number of comparisons at the last call of {@link invalidate}. */
  #invalidatedRound: number | undefined;

  constructor(options: {
    readonly orders: OrderStates;
    readonly fills: FillBook;
    readonly ledger: LedgerSync;
    readonly trades: readonly TradesSync[];
    readonly namespace: string;
    /** Sum of the strategies' budgets by currency. */
    readonly budgets: Readonly<Record<string, Decimal>>;
  }) {
    this.#orders = options.orders;
    this.#fills = options.fills;
    this.#ledger = options.ledger;
    this.#trades = options.trades;
    this.#budgets = options.budgets;
    this.#prefix = clientOrderIdPrefix(options.namespace);
  }

  /** Whether the last comparison found everything equal. */
  get isBalanced(): boolean {
    return this.#isBalanced;
  }

  /** Why {@link isBalanced} is false, as text; undefined if it is true. */
  get trouble(): string | undefined {
    if (this.#isBalanced) return undefined;
    return this.#trouble ?? 'the comparison has not ended yet';
  }

  /** Number of comparisons made. */
  get rounds(): number {
    return this.#rounds;
  }

  /** Number of open orders of the account outside our namespace, as of the last list. */
  get externalOrders(): number {
    return this.#externalOrders;
  }

  /** Requests a comparison now. */
  request(): void {
    this.#demand.ask();
  }

  /** Reads inconsistent ledgers again, when a person has resumed, and requests a comparison. */
  readAgain(): void {
    this.#ledger.readAgain();
    this.#demand.ask();
  }

  /** Discards the last result, and requests a comparison now. */
  invalidate(): void {
    this.#isBalanced = false;
    this.#trouble = undefined;
    this.#invalidatedRound = this.#rounds;
    this.#demand.ask();
    this.#invalidated.raise();
  }

  /** Runs forever. */
  *run(): Procedure {
    for (;;) {
      const differences = yield* this.compare();
      // A comparison that began before the invalidation has read older data.
      if (this.#invalidatedRound === this.#rounds) continue;
      this.#conclude(differences);
      const endedMs = this.#orders.context.nowMs;
      if (!this.#isBalanced) {
        yield* wait(retryMs);
        continue;
      }
      yield* this.#demand.next(periodMs);
      const restMs = endedMs + spacingMs - this.#orders.context.nowMs;
      if (this.#isBalanced && restMs > 0) yield* wait(restMs, this.#invalidated);
    }
  }

  /** Compares once. An unreadable response proves nothing, and is not a difference either. */
  *compare(): Procedure<Comparison> {
    this.#rounds++;
    const unreadable = yield* this.#compareOpenOrders();
    if (unreadable !== undefined) return unread(unreadable);
    for (const trades of this.#trades)
      if (!(yield* trades.pass()))
        return unread(`the list of trades cannot be read: ${trades.trouble}`);
    if (!(yield* this.#ledger.pass())) return this.#unreadLedger();
    const balances = yield* this.#compareBalances();
    const overdue = this.#fills.proofs.overdue(this.#orders.context.nowMs, settleMs);
    const positions = this.#fills.differences();
    return {
      unreadable: balances.unreadable,
      differences: [...balances.differences, ...overdue, ...positions],
      grave: [...balances.grave, ...positions],
    };
  }

  *#compareOpenOrders(): Procedure<string | undefined> {
    const listed = yield* readOpenOrders();
    if ('unreadable' in listed) return listed.unreadable;
    const orphans = new Set<string>();
    let externalOrders = 0;
    for (const { orderId, clientOrderId } of applyOpenOrders(this.#orders, listed)) {
      if (clientOrderId.startsWith(this.#prefix)) {
        if (!this.#orphans.has(orderId)) this.#reportOrphan(orderId, clientOrderId);
        orphans.add(orderId);
        // A listed order is open, whatever the response to its last stop was.
        if (!this.#stopping.has(orderId)) this.#orders.context.spawn(this.#stopOrphan(orderId));
      } else externalOrders++;
    }
    this.#orphans = orphans;
    this.#noteExternal(externalOrders);
    return undefined;
  }

  #noteExternal(count: number): void {
    if (count === this.#externalOrders) return;
    this.#externalOrders = count;
    this.#orders.context.notice({
      level: 'info',
      topic: 'reconcile',
      text: `${count} open orders of the account do not belong to this bot; they are left alone`,
    });
  }

  /** An unknown order of our namespace means that data of the store was lost: stop it and halt. */
  #reportOrphan(orderId: string, clientOrderId: string): void {
    const { context } = this.#orders;
    context.incident(
      'ORPHAN_ORDER',
      `open order ${orderId} has our client order id ${clientOrderId}, but is not in the store; stopping it`,
    );
    context.setTradingState('bot', 'HALTED', 'an open order of our namespace is not in our store');
  }

  *#stopOrphan(orderId: string): Procedure {
    this.#stopping.add(orderId);
    yield* stopUntilDone(orderId);
    this.#stopping.delete(orderId);
  }

  *#compareBalances(): Procedure<Comparison> {
    const before = this.#ledger.ledgers.map((ledger) => ledger.nextRow);
    const reply = yield* call({ priority: 'read', request: () => ({ kind: 'balances' }) });
    if (reply.kind !== 'ok') return unread(`balances cannot be read: ${describeFailure(reply)}`);
    // Rows may have been added meanwhile: the balance must be right for some time in between.
    if (!(yield* this.#ledger.pass())) return this.#unreadLedger();
    const differences: string[] = [];
    const grave: string[] = [];
    for (const [index, ledger] of this.#ledger.ledgers.entries()) {
      if (!this.#ledger.isListed(ledger)) continue;
      const entry = reply.value.find(({ account }) => account === ledger.accountId);
      if (entry === undefined) {
        differences.push(`account ${ledger.accountId} is not listed`);
        continue;
      }
      const isKnown = ledger.hadBalance(entry.balance, before[index] ?? 1);
      if (isKnown === undefined)
        return unread(`the ledger of ${ledger.currency} changes too fast to compare`);
      if (isKnown) continue;
      const [balance, newest] = [formatAmount(entry.balance), formatAmount(ledger.balance)];
      const text = `balance of ${ledger.currency} is ${balance}, by its ledger ${newest}`;
      differences.push(text);
      const limit = this.#budgets[ledger.currency]?.times(budgetShare) ?? 0;
      if (decimalOf(balance).minus(newest).abs().gt(limit)) grave.push(text);
    }
    return { unreadable: undefined, differences, grave };
  }

  #unreadLedger(): Comparison {
    return unread(`the ledger cannot be read: ${this.#ledger.trouble}`);
  }

  /** The text also names fills of our namespace that belong to no order in the store. */
  #balancesText(): string {
    const { orphanCount } = this.#fills;
    if (orphanCount === 0) return 'balances equal the ledger';
    return `but ${orphanCount} fills of our namespace belong to no order of this database`;
  }

  #conclude({ unreadable, differences, grave }: Comparison): void {
    const { context } = this.#orders;
    this.#trouble = unreadable ?? (differences.length === 0 ? undefined : differences.join('; '));
    if (unreadable === undefined && differences.length === 0) {
      if (!this.#isBalanced)
        context.notice({
          level: 'info',
          topic: 'reconcile',
          text: `reconciled: ${this.#orders.tracker.liveCount} live orders, ${this.#balancesText()}`,
        });
      this.#isBalanced = true;
      this.#unbalancedSinceMs = undefined;
      this.#isReported = false;
      this.#graveInARow = 0;
      return;
    }
    const wasBalanced = this.#isBalanced;
    this.#isBalanced = false;
    if (differences.length === 0) {
      if (wasBalanced || this.#rounds === 1)
        context.notice({ level: 'warn', topic: 'reconcile', text: `${unreadable}; trying again` });
      return;
    }
    this.#unbalancedSinceMs ??= context.nowMs;
    this.#graveInARow = grave.length === 0 ? 0 : this.#graveInARow + 1;
    if (wasBalanced || this.#rounds === 1)
      context.notice({
        level: 'warn',
        topic: 'reconcile',
        text: `does not balance: ${differences.join('; ')}`,
      });
    // A balance may come from a replica that lags; a lasting difference is not a lag.
    if (context.nowMs - this.#unbalancedSinceMs < settleMs) return;
    if (!this.#isReported) context.incident('DOES_NOT_BALANCE', differences.join('; '));
    this.#isReported = true;
    if (this.#graveInARow >= differingMin)
      context.setTradingState('bot', 'HALTED', `does not balance: ${grave.join('; ')}`);
  }
}

function unread(why: string): Comparison {
  return { unreadable: why, differences: [], grave: [] };
}

function* stopUntilDone(orderId: string): Procedure {
  for (let attempt = 0; attempt < 100; attempt++) {
    const reply = yield* call({
      priority: 'cancel',
      request: () => ({ kind: 'cancel', orderId }),
    });
    if (isStopped(reply)) return;
    yield* wait(2_000);
  }
}
