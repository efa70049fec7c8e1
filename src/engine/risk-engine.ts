/**
 * Connects the gate to the engine: supplies the gate's facts, routes the orders it judges, and runs
 * the breakers, the checks of resting orders, and approvals by a person.
 */
import type { BotSettings } from '../domain/bot-settings.ts';
import type { Executor } from '../execution/orders/executor.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { approvalValidMs } from '../risk/approvals.ts';
import { replacesAtMs } from '../risk/checks/message-rate-check.ts';
import { Gate } from '../risk/gate.ts';
import type { GateFacts } from '../risk/gate-facts.ts';
import { type GateLimits, limitsTextOf } from '../risk/gate-limits.ts';
import type { FillHistory } from './account/fill-history.ts';
import { AtTrade } from './at-trade.ts';
import { Breakers } from './breakers.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineMarket } from './engine-market.ts';
import { OrderRouter } from './order-router.ts';
import type { Readiness } from './readiness.ts';
import type { StrategyInbox } from './strategy-inbox.ts';

/** The maximum number of rejection times stored for each strategy. */
const rejectionsMax = 100;

export type RiskEngineOptions = {
  readonly context: EngineContext;
  readonly orders: OrderStates;
  readonly executor: Executor;
  readonly settings: BotSettings;
  readonly markets: ReadonlyMap<string, EngineMarket>;
  readonly inbox: StrategyInbox;
  readonly readiness: Readiness;
  readonly history: FillHistory;
};

export class RiskEngine {
  readonly router: OrderRouter;
  readonly #options: RiskEngineOptions;
  readonly #gate: Gate;
  readonly #breakers: Breakers;
  readonly #atTrade: AtTrade;

  constructor(options: RiskEngineOptions) {
    this.#options = options;
    const { context, orders, executor, settings, markets, inbox, history } = options;
    const { limits, accounts } = settings;
    const facts = () => this.facts();
    const gate = new Gate(settings);
    const breakers = new Breakers({ context, orders, limits });
    this.#gate = gate;
    this.#breakers = breakers;
    const gateLimits = gate.limits;
    const mid2Of = (pair: string) => markets.get(pair)?.mid2;
    const lastMessageMicros = (): number => newestOf(markets.values());
    this.#atTrade = new AtTrade({
      ...{ context, orders, breakers, limits, gateLimits, mid2Of, lastMessageMicros },
    });
    this.router = new OrderRouter({
      ...{ context, executor, gate, facts, markets, accounts, inbox, history },
      onDecided: (verdict) => {
        if (verdict === 'approved') this.#atTrade.noteApproved();
        else breakers.checkActivity();
      },
    });
  }

  /** The limits by which the gate judges. */
  get limits(): GateLimits {
    return this.#gate.limits;
  }

  /** When the limits of orders per time allow a strategy's next replacement; may be past. */
  replacesAtMs(strategyId: string): number {
    const { activity } = this.#options.context.exposure;
    return replacesAtMs(activity, activity.of(strategyId), this.#gate.limits);
  }

  /** Stores the version of the limits, and starts watching the orders of an earlier run. */
  begin(): void {
    const { context, settings } = this.#options;
    context.record({
      kind: 'limits',
      atMs: context.nowMs,
      hash: this.#gate.limits.hash,
      limits: limitsTextOf(settings),
    });
    this.#atTrade.arm();
    this.#breakers.checkActivity();
  }

  /** Whether {@link noteMessage} must be called when a market message arrives. */
  get isWaitingForMarket(): boolean {
    return this.#atTrade.isWaiting;
  }

  /** Notes a market message. Call it while {@link isWaitingForMarket}. */
  noteMessage(): void {
    this.#atTrade.noteMessage();
  }

  /** Checks orders and losses within a second. Call when states may have changed. */
  watch(): void {
    this.#atTrade.arm();
  }

  /**
   * Stores a person's approval of the order that `token` is bound to. Returns what may happen now,
   * or undefined if no order asked for this token.
   */
  approve(token: string, reason: string): string | undefined {
    const { context } = this.#options;
    const { nowMs } = context;
    const order = context.facts.approvals.askedFor(token);
    if (order === undefined) return undefined;
    const expiresMs = nowMs + approvalValidMs;
    context.facts.approvals.add(token, expiresMs);
    context.record({ kind: 'approval', atMs: nowMs, token, event: 'given', expiresMs, reason });
    const text = `${order} may be placed once within ${approvalValidMs / 60_000} minutes`;
    context.notice({ level: 'info', topic: 'state', text: `${text}: ${reason}` });
    return text;
  }

  /** A fill of `order` was booked: stores what a restart needs to continue counting losses. */
  noteBooked({ strategyId, pair }: TrackedOrder): void {
    const { context } = this.#options;
    if (context.keepsAllRecords)
      for (const [name, state] of context.exposure.trades.states(strategyId, pair))
        context.keepRiskState(name, state);
    this.#atTrade.noteBooked();
    this.#breakers.checkActivity();
  }

  /** Counts an order that the exchange rejected. */
  noteRejected({ strategyId }: TrackedOrder): void {
    const { context } = this.#options;
    if (context.keepsAllRecords) {
      const { rejections } = context.exposure.activity.of(strategyId);
      const timesMs = rejections.newest(rejectionsMax);
      context.keepRiskState(`rejections ${strategyId}`, JSON.stringify({ timesMs }));
    }
    this.#breakers.checkActivity();
  }

  /** Returns the codes that forbid sending an approved order by now; see {@link Gate}. */
  resendRefusals(order: TrackedOrder): readonly string[] {
    const { terms, strategyId, pair, baseAccountId, counterAccountId, createdMs } = order;
    const accounts = { baseAccountId, counterAccountId };
    // Checked at its approval; since then, the exposure includes the order's own volume.
    const reduceOnly = false;
    const proposal = { ...terms, ...accounts, strategyId, pair, createdMs, reduceOnly };
    return this.#gate.judgeAgain(proposal, this.facts());
  }

  /** Cancels the orders of `scope` that were approved before a halt and have not been sent. */
  withdrawUnsent(scope: string, reason: string): void {
    const { orders } = this.#options;
    for (const order of [...orders.tracker.live]) {
      const scopes = ['bot', `strategy:${order.strategyId}`, `pair:${order.pair}`];
      if (order.state === 'waiting' && scopes.includes(scope))
        orders.cancel(order, `halted: ${reason}`);
    }
  }

  /** Returns the facts that the gate judges by, as of now. */
  facts(): GateFacts {
    const { context, orders, markets, readiness } = this.#options;
    const { facts, nowMs, exchangeClock } = context;
    const { tracker } = orders;
    facts.nowMs = nowMs;
    facts.health.reconciled = readiness.isReconciled;
    facts.health.clockSkewMs =
      exchangeClock.offsetMs === undefined ? undefined : -exchangeClock.offsetMs;
    const unknown = tracker.count('unknown');
    facts.health.unknownOrders = unknown;
    for (const market of markets.values()) {
      const { pair } = market.market;
      const pairFacts = facts.pairs.get(pair);
      if (pairFacts === undefined) continue;
      market.writeFacts(pairFacts, nowMs, unknown === 0 ? 0 : tracker.count('unknown', pair));
    }
    return facts;
  }
}

function newestOf(markets: Iterable<EngineMarket>): number {
  let micros = Number.NEGATIVE_INFINITY;
  for (const { feed } of markets) micros = Math.max(micros, feed.lastMessageMicros ?? micros);
  return micros;
}
