/**
 * The executor with nothing around it: real procedures, timers, gate and exposure; calls wait
 * until the test answers them, and time moves when the test says so.
 */
import { createHash } from 'node:crypto';
import { formatLots, formatTicks } from '../../../src/domain/market.ts';
import { Decimal } from '../../../src/domain/money.ts';
import type { OrderState } from '../../../src/domain/order.ts';
import type { OrderRow, StoreRecord } from '../../../src/domain/records.ts';
import { Coroutines } from '../../../src/engine/coroutines.ts';
import { TimerQueue } from '../../../src/engine/timer-queue.ts';
import { FillBook } from '../../../src/execution/fills/fill-book.ts';
import { driveOrder } from '../../../src/execution/orders/drive-order.ts';
import { Executor } from '../../../src/execution/orders/executor.ts';
import { OrderStates } from '../../../src/execution/orders/order-states.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { CallBudget } from '../../../src/execution/requests/call-budget.ts';
import { ExchangeClock } from '../../../src/execution/requests/exchange-clock.ts';
import type {
  ExecutionContext,
  OwnFill,
} from '../../../src/execution/requests/execution-context.ts';
import type { CallPriority, QueuedCall } from '../../../src/execution/requests/procedure.ts';
import { ReadPlan } from '../../../src/execution/requests/read-plan.ts';
import { Gate } from '../../../src/risk/gate.ts';
import type { Proposal } from '../../../src/risk/proposal.ts';
import { isWrong } from '../../../src/venue/row-checks.ts';
import type { VenueReply } from '../../../src/venue/venue-reply.ts';
import { venueReplyOf, wireRequestOf } from '../../../src/venues/luno/adapter/codec.ts';
import { tradeViewOf } from '../../../src/venues/luno/adapter/decode-orders.ts';
import { lunoProperties } from '../../../src/venues/luno/adapter/properties.ts';
import type {
  OrderRecord,
  UserTrade,
} from '../../../src/venues/luno/api/operations/order-operations.ts';
import type { Failure, Reply } from '../../../src/venues/luno/api/reply.ts';
import { anyOrders, goodBid, market, openFacts, nowMs as startMs } from '../risk/open-gate.ts';

export { market, startMs };
export const namespace = 'unittest';

type Waiting = {
  readonly operation: string;
  readonly priority: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly resume: (reply: Reply) => void;
};

export class ExecutionFixture implements ExecutionContext {
  nowMs = startMs;
  readonly keepsAllRecords = true;
  readonly results = undefined;
  readonly exchangeClock = new ExchangeClock();
  readonly records: StoreRecord[] = [];
  readonly incidents: string[] = [];
  readonly tradingStates: string[] = [];
  /** Order states as they were announced. */
  readonly changes: OrderState[] = [];
  readonly told: OwnFill[] = [];
  readonly triggered: TrackedOrder[] = [];
  readonly refusedCancels: string[] = [];
  readonly calls: Waiting[] = [];
  readonly timers = new TimerQueue();
  readonly tasks: Coroutines;
  readonly orders: OrderStates;
  readonly executor: Executor;
  readonly fills: FillBook;
  tradesRequests = 0;
  /** What speaks against sending an order again. */
  againRefused: readonly string[] = [];
  /** Whether the book has reached the prices of all orders. */
  isReached = false;
  /** Pairs that were closed. */
  readonly closed: string[] = [];
  /** Calls wait here instead of leaving while this is true, as they do in a full budget. */
  isBudgetFull = false;
  /** When calls would have left that were not made. */
  readonly unmadeMs: number[] = [];
  /** Orders that ended without their record. */
  readonly unchecked: TrackedOrder[] = [];
  readonly #facts = openFacts();
  readonly #gate = new Gate(anyOrders);
  readonly #budget = new CallBudget({ perMinute: 300 });

  constructor(
    options: {
      readonly isClockKnown?: boolean;
      readonly measuresReadLag?: boolean;
      readonly isReplay?: boolean;
      /** Whether the user stream may end orders; without it, each record is read at once. */
      readonly trustsStream?: boolean;
    } = {},
  ) {
    if (options.isClockKnown !== false) this.exchangeClock.observe(startMs, startMs);
    this.tasks = new Coroutines({
      timers: this.timers,
      nowMicros: () => this.nowMs * 1000,
      calls: {
        enqueue: (call) => {
          this.#budget.enqueue(call);
          this.release();
        },
        withdraw: (call) => this.#budget.withdraw(call),
      },
    });
    this.orders = new OrderStates({
      context: this,
      drive: driveOrder,
      requestTrades: () => {
        this.tradesRequests++;
      },
      venue: {
        ...lunoProperties,
        reads: {
          ...lunoProperties.reads,
          lagMs: { min: 5_000, max: options.measuresReadLag === true ? 30_000 : 5_000 },
        },
      },
      reads: new ReadPlan({
        losesMessages: options.isReplay !== true,
        delaysMessages: false,
        time: this,
        calls: {
          ...{ orderCalled: this.#budget.orderCalled, isUnlimited: false },
          hasRoomForReads: (nowMs) => this.#budget.hasRoomForReads(nowMs),
          countOtherCalls: (timesMs) => this.unmadeMs.push(...timesMs),
        },
      }),
      endChecks: {
        mayAdd: () => options.trustsStream === true,
        add: (order) => this.unchecked.push(order),
      },
    });
    this.executor = new Executor({ orders: this.orders, namespace, identity: '', intentIdNext: 1 });
    this.fills = new FillBook(this.orders, namespace);
  }

  /** Whether a call waits for the budget. */
  get isWaiting(): boolean {
    return this.#budget.isWaiting;
  }

  get exposure() {
    return this.#facts.exposure;
  }

  get nowMicros(): number {
    return this.nowMs * 1000;
  }

  spawn(procedure: Parameters<ExecutionContext['spawn']>[0]): void {
    this.tasks.spawn(procedure);
  }

  record(record: StoreRecord): void {
    this.records.push(record);
  }

  notice(): void {}

  incident(code: string): void {
    this.incidents.push(code);
  }

  setTradingState(scope: string, state: string): void {
    this.tradingStates.push(`${scope} ${state}`);
  }

  resendRefusals(): readonly string[] {
    return this.againRefused;
  }

  wouldTrade(): boolean {
    return this.isReached;
  }

  closeMarket(pair: string): void {
    this.closed.push(pair);
  }

  orderChanged(order: TrackedOrder): void {
    this.changes.push(order.state);
  }

  orderTriggered(order: TrackedOrder): void {
    this.triggered.push(order);
  }

  cancelRefused(_order: TrackedOrder, why: string): void {
    this.refusedCancels.push(why);
  }

  orderFilled(_order: TrackedOrder, fill: OwnFill): void {
    this.told.push(fill);
  }

  /** Lets waiting calls leave unless the budget is full. */
  release(): void {
    while (!this.isBudgetFull) {
      const queued = this.#budget.take(this.nowMs);
      if (queued === undefined) return;
      const { priority } = queued;
      const request = queued.request();
      if (request === undefined) queued.resume({ kind: 'not-sent', why: 'withdrawn' });
      else {
        const resume = (reply: Reply): void => queued.resume(venueReplyOf(request, reply));
        this.calls.push({ ...wireRequestOf(request, () => market), priority, resume });
      }
    }
  }

  /** Places an approved order. */
  place(change: Partial<Proposal> = {}, expiresMs?: number): TrackedOrder {
    const verdict = this.#gate.judge({ ...goodBid, ...change }, this.#facts);
    if (verdict.kind !== 'approved') throw new Error(JSON.stringify(verdict.refusals));
    const key = `k${this.executor.nextIntentId}`;
    return this.executor.place(verdict.approved, market, {
      strategyId: 'mm',
      key,
      level: undefined,
      ...{ tag: undefined, expiresMs },
      reason: 'test',
    });
  }

  /** Moves time, running what becomes due at its own time. */
  advance(milliseconds: number): void {
    const endMs = this.nowMs + milliseconds;
    for (;;) {
      const next = this.timers.nextMicros;
      if (next > endMs * 1000) break;
      this.nowMs = Math.max(this.nowMs, next / 1000);
      this.timers.runDue(next);
    }
    this.nowMs = endMs;
  }

  /** Returns the only call that waits for an answer, which must be of this operation. */
  waiting(operation: string): Waiting {
    const [call] = this.calls;
    if (call === undefined || this.calls.length > 1 || call.operation !== operation)
      throw new Error(
        `expected ${operation}, has ${this.calls.map((one) => one.operation).join()}`,
      );
    return call;
  }

  /** Answers the only call that waits. */
  answer(operation: string, reply: Reply): void {
    const { resume } = this.waiting(operation);
    this.calls.length = 0;
    resume(reply);
  }

  /** The exchange's clock says so in its answers. */
  stamped<R extends Reply>(reply: R): R {
    return { ...reply, exchangeTimeMs: this.nowMs };
  }

  /** The states that evidence was stored for. */
  get evidence(): readonly string[] {
    return this.records.flatMap((one) => (one.kind === 'evidence' ? [one.state] : []));
  }

  outcomes(): readonly string[] {
    return this.records.flatMap((one) => (one.kind === 'outcome' ? [one.outcome] : []));
  }
}

/** A call of this priority, for the call budget. */
export function callOf(
  priority: CallPriority,
  resume: (reply: VenueReply) => void = () => {},
): QueuedCall {
  return {
    ...{ priority, resume, deadlineMs: undefined, number: 0 },
    request: () => ({ kind: 'balances' }),
  };
}

/** Books a trade as the adapter reads it; returns whether it was new. */
export function book(fills: FillBook, trade: UserTrade): boolean {
  const view = tradeViewOf(trade, trade.pair);
  if (!isWrong(view)) return fills.book(view);
  fills.refuse(trade.pair, [view]);
  return false;
}

export function ok<Body>(body: Body) {
  return { kind: 'ok', status: 200, body } as const;
}

export function refused(status: number, code: string): Failure {
  return { kind: 'refused', status, code, message: 'no' };
}

export const noAnswer: Failure = { kind: 'no-answer', reason: 'reset' };
export const notFound = refused(404, 'ErrOrderNotFound');

/** The exchange's id of an order, as the tests give it. */
export const idOf = (order: TrackedOrder): string => `BX${order.intentId}`;

/** The record of an order that is filled `lots` at its price, with a fee of 0.1 % in base. */
export function recordOf(
  order: TrackedOrder,
  change: Partial<OrderRecord> & { readonly lots?: number } = {},
): OrderRecord {
  const { lots = 0, ...rest } = change;
  const base = new Decimal(lots).div(10_000);
  const price = formatTicks(order.terms.price, market);
  return {
    order_id: idOf(order),
    client_order_id: order.clientOrderId,
    pair: market.pair,
    side: order.terms.side === 'BID' ? 'BUY' : 'SELL',
    type: 'LIMIT',
    status: 'PENDING',
    time_in_force: 'GTC',
    limit_price: price,
    limit_volume: formatLots(order.terms.volume, market),
    base_account_id: order.baseAccountId,
    counter_account_id: order.counterAccountId,
    base: base.toFixed(),
    counter: base.times(price).toFixed(),
    fee_base: base.div(1000).toFixed(),
    fee_counter: '0',
    creation_timestamp: startMs,
    completed_timestamp: 0,
    ...rest,
  } as OrderRecord;
}

/** One trade of an order over `lots`, with the same fee. */
export function tradeOf(
  order: TrackedOrder,
  lots: number,
  change: Partial<UserTrade> = {},
): UserTrade {
  const base = new Decimal(lots).div(10_000);
  const price = formatTicks(order.terms.price, market);
  return {
    order_id: idOf(order),
    client_order_id: order.clientOrderId,
    pair: market.pair,
    sequence: '100',
    is_buy: order.terms.side === 'ASK',
    type: order.terms.side,
    price,
    volume: base.toFixed(),
    base: base.toFixed(),
    counter: base.times(price).toFixed(),
    fee_base: base.div(1000).toFixed(),
    fee_counter: '0',
    timestamp: startMs,
    ...change,
  } as UserTrade;
}

/** An order as the store would have it, for a restart. */
export function rowOf(change: Partial<OrderRow> = {}): OrderRow {
  return {
    intentId: 7,
    strategyId: 'mm',
    key: 'k7',
    level: undefined,
    tag: undefined,
    pair: market.pair,
    side: 'BID',
    price: '1000000.00',
    volume: '0.0100',
    timeInForce: 'GTC',
    postOnly: true,
    stopDirection: undefined,
    stopPrice: undefined,
    pays: undefined,
    baseAccountId: '11',
    counterAccountId: '13',
    clientOrderId: `b1-${namespace}-7-${createHash('sha256').update('7').digest('hex').slice(0, 12)}`,
    reason: 'test',
    createdMs: startMs - 5_000,
    validUntilMs: startMs + 5_000,
    expiresMs: undefined,
    state: 'open',
    orderId: 'BX7',
    attempts: 1,
    lastTimestampMs: startMs - 5_000,
    lastTtlMs: 2_000,
    ambiguous: false,
    cancelRequestedMs: undefined,
    base: '0',
    counter: '0',
    feeBase: '0',
    feeCounter: '0',
    completedMs: undefined,
    ...change,
  };
}
