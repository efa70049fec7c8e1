/**
 * Compares what we believe with what the exchange says: open orders, fills, ledgers, balances, and
 * positions with the ledger. At start, after every reconnect and once a minute.
 *
 * Invariants: until it balances, nothing new is placed, not even what reduces; a difference of a
 * minute is an incident, and one that is larger than the bot may lose sight of halts it for a
 * person. Orders that are not of our namespace are counted and never touched.
 */
import { type Decimal, decimalOf } from '../../domain/money.ts';
import type { OrderRecord } from '../../exchange-api/operations/order-operations.ts';
import type { FillBook } from '../fills/fill-book.ts';
import type { TradesSync } from '../fills/trades-sync.ts';
import { clientOrderIdPrefix } from '../orders/client-order-id.ts';
import type { OrderStates } from '../orders/order-states.ts';
import { Demand } from '../requests/demand.ts';
import { call, describeReply, type Procedure, Signal, wait } from '../requests/procedure.ts';
import { isStopped } from './cancel-all.ts';
import { applyOpenOrders, readOpenOrders } from './check-open-orders.ts';
import type { LedgerSync } from './ledger-sync.ts';

const periodMs = 60_000;
const retryMs = 2_000;
/** Whatever asks for comparisons, and however often: each costs seven calls or more. */
const spacingMs = 10_000;
/** Differences that are explained within this are only the exchange's own lag. */
const settleMs = 60_000;
/** Comparisons in a row that show a difference, before one that is too large halts the bot. */
const differingMin = 5;
/** Share of a currency's budget that may be unexplained for a minute without a halt. */
const budgetShare = '0.01';

/**
 * What one comparison found. `unreadable` says why it could not be made; `grave` are differences
 * that must not last.
 */
type Comparison = {
  readonly unreadable: string | undefined;
  readonly differences: readonly string[];
  readonly grave: readonly string[];
};

export class Reconciler {
  readonly #orders: OrderStates;
  readonly #fills: FillBook;
  readonly #ledger: LedgerSync;
  readonly #trades: readonly TradesSync[];
  readonly #prefix: string;
  readonly #budgets: Readonly<Record<string, Decimal>>;
  readonly #demand = new Demand();
  readonly #doubted = new Signal();
  /** Open orders of our namespace that the store does not know, at the last look. */
  #orphans = new Set<string>();
  /** Those whose stop is under way. */
  readonly #stopping = new Set<string>();
  /** Open orders of the account that are not of our namespace, at the last look. */
  #externalOrders = 0;
  #isBalanced = false;
  /** What the last comparison found, in words; undefined before the first and if all is equal. */
  #trouble: string | undefined;
  #unbalancedSinceMs: number | undefined;
  /** Whether the present imbalance is an incident already. */
  #isReported = false;
  /** Comparisons since it last balanced that showed a grave difference. */
  #graveInARow = 0;
  #rounds = 0;
  /** The comparison that was the last to begin when everything was put in doubt. */
  #doubtedRound: number | undefined;

  constructor(options: {
    readonly orders: OrderStates;
    readonly fills: FillBook;
    readonly ledger: LedgerSync;
    readonly trades: readonly TradesSync[];
    readonly namespace: string;
    /** What the strategies may use of each currency, in all. */
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

  /** Why it is not balanced, in words; undefined if it is. */
  get trouble(): string | undefined {
    if (this.#isBalanced) return undefined;
    return this.#trouble ?? 'the comparison has not ended yet';
  }

  /** Number of comparisons made. */
  get rounds(): number {
    return this.#rounds;
  }

  /** Open orders of the account that this bot did not place, as last seen. */
  get externalOrders(): number {
    return this.#externalOrders;
  }

  /** Asks for a comparison now. */
  request(): void {
    this.#demand.ask();
  }

  /** Reads again what had been given up as broken; for a person who has looked and resumes. */
  readAgain(): void {
    this.#ledger.readAgain();
    this.#demand.ask();
  }

  /** Puts in doubt what was found so far, and asks for a comparison now. */
  doubt(): void {
    this.#isBalanced = false;
    this.#trouble = undefined;
    this.#doubtedRound = this.#rounds;
    this.#demand.ask();
    this.#doubted.raise();
  }

  /** Runs for ever. */
  *run(): Procedure {
    for (;;) {
      const differences = yield* this.compare();
      // One that had begun before the doubt has partly seen what was before it.
      if (this.#doubtedRound === this.#rounds) continue;
      this.#conclude(differences);
      const endedMs = this.#orders.context.nowMs;
      if (!this.#isBalanced) {
        yield* wait(retryMs);
        continue;
      }
      yield* this.#demand.next(periodMs);
      const restMs = endedMs + spacingMs - this.#orders.context.nowMs;
      if (this.#isBalanced && restMs > 0) yield* wait(restMs, this.#doubted);
    }
  }

  /** Compares once. What cannot be read proves nothing, but is no anomaly either. */
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
    for (const record of applyOpenOrders(this.#orders, listed)) {
      const { order_id: orderId, client_order_id: clientOrderId } = record;
      if (clientOrderId.startsWith(this.#prefix)) {
        if (!this.#orphans.has(orderId)) this.#tellOrphan(record);
        orphans.add(orderId);
        // What is listed is open, whatever the answer to its last stop was.
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
      text: `${count} open orders of the account are not of this bot; they are left alone`,
    });
  }

  /** An order of ours that we do not know can only be a lost database: it must not stay. */
  #tellOrphan(record: OrderRecord): void {
    const { context } = this.#orders;
    context.incident(
      'ORPHAN_ORDER',
      `open order ${record.order_id} carries our ${record.client_order_id}, which the store does not know; stopping it`,
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
    const reply = yield* call({ priority: 'read', operation: 'balance', parameters: () => ({}) });
    if (reply.kind !== 'ok') return unread(`balances cannot be read: ${describeReply(reply)}`);
    const { balance } = reply.body;
    // Rows may have come meanwhile: the balance must be the account's at one of these moments.
    if (!(yield* this.#ledger.pass())) return this.#unreadLedger();
    const differences: string[] = [];
    const grave: string[] = [];
    for (const [index, ledger] of this.#ledger.ledgers.entries()) {
      if (!this.#ledger.isListed(ledger)) continue;
      const entry = balance.find((one) => one.account_id === ledger.accountId);
      if (entry === undefined) {
        differences.push(`account ${ledger.accountId} is not listed`);
        continue;
      }
      const isKnown = ledger.hadBalance(entry.balance, before[index] ?? 1);
      if (isKnown === undefined) return unread(`the ledger of ${ledger.currency} moves too fast`);
      if (isKnown) continue;
      const { balance: newest } = ledger.last ?? { balance: '0' };
      const text = `balance of ${ledger.currency} is ${entry.balance}, its ledger says ${newest}`;
      differences.push(text);
      const limit = this.#budgets[ledger.currency]?.times(budgetShare) ?? 0;
      if (decimalOf(entry.balance).minus(newest).abs().gt(limit)) grave.push(text);
    }
    return { unreadable: undefined, differences, grave };
  }

  #unreadLedger(): Comparison {
    return unread(`the ledger cannot be read: ${this.#ledger.trouble}`);
  }

  /** The ledger has fills, too, that no order of the store explains. */
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
    // A balance may have been told by a replica that lags; what stays is no lag.
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
      operation: 'stoporder',
      parameters: () => ({ order_id: orderId }),
    });
    if (isStopped(reply)) return;
    yield* wait(2_000);
  }
}
