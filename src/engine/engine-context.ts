/**
 * The engine's own state that its parts share: time, timers, outputs of the current step, the
 * exchange's clock, the exposure and the facts of the gate.
 */
import { InvariantError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import type { OrderState } from '../domain/order.ts';
import type { StoreRecord, TradingState } from '../domain/records.ts';
import type { Proof } from '../execution/orders/proof.ts';
import type { RunResults } from '../execution/orders/run-results.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import { CallBudget } from '../execution/requests/call-budget.ts';
import { ExchangeClock } from '../execution/requests/exchange-clock.ts';
import type { OwnFill } from '../execution/requests/execution-context.ts';
import type { Procedure } from '../execution/requests/procedure.ts';
import { clockSkewMsMax } from '../risk/checks/health-check.ts';
import { Exposure } from '../risk/exposure.ts';
import { createGateFacts, type GateFacts } from '../risk/gate-facts.ts';
import { resumedName } from '../risk/resumed.ts';
import { ClockWatch } from './clock-watch.ts';
import { Coroutines } from './coroutines.ts';
import type { EngineServices } from './engine-services.ts';
import type { EngineStart } from './engine-start.ts';
import type { Effect, Step } from './event.ts';
import type { StepObserver } from './stepping/step-observer.ts';
import { TimerQueue } from './timer-queue.ts';
import type { ClosedScope } from './trading/trading-situation.ts';

/** The output of most steps. */
export const nothing: Step = Object.freeze({
  records: Object.freeze([]),
  effects: Object.freeze([]),
});

/** Never changed: the first entry makes a new list. */
const noRecords: StoreRecord[] = [];
const noEffects: Effect[] = [];

/** Callbacks of the other parts, called when something changes. */
export type ContextListener = {
  readonly orderChanged: (
    order: TrackedOrder,
    before: OrderState | undefined,
    proof?: Proof,
  ) => void;
  readonly orderTriggered: (order: TrackedOrder) => void;
  readonly orderFilled: (order: TrackedOrder, fill: OwnFill) => void;
  readonly cancelRefused: (order: TrackedOrder, why: string) => void;
  /** A scope was halted. */
  readonly halted: (scope: string, reason: string) => void;
  readonly resendRefusals: (order: TrackedOrder) => readonly string[];
  readonly wouldTrade: (order: TrackedOrder) => boolean;
  readonly marketClosed: (pair: string, reason: string) => void;
};

const tooEarly = (): never => {
  throw new InvariantError('something changed before the parts of the engine were connected');
};
type EnteredState = { readonly scope: string; readonly reason: string; readonly atMs: number };

/** The listener until every part exists. */
const notConnected: ContextListener = {
  orderChanged: tooEarly,
  orderTriggered: tooEarly,
  orderFilled: tooEarly,
  cancelRefused: tooEarly,
  halted: tooEarly,
  resendRefusals: tooEarly,
  wouldTrade: tooEarly,
  marketClosed: tooEarly,
};

export class EngineContext implements EngineServices {
  readonly timers = new TimerQueue();
  readonly exchangeClock = new ExchangeClock();
  /** Observes only the answers to requests, so that a lagging stream cannot distort it. */
  readonly #answerClock = new ExchangeClock();
  readonly #clockWatch = new ClockWatch();
  readonly exposure: Exposure;
  readonly facts: GateFacts;
  readonly reportsInfo: boolean;
  readonly keepsAllRecords: boolean;
  readonly results: RunResults | undefined;
  readonly observer: StepObserver | undefined;
  /** Our time. Starts as a fraction, so that V8 keeps a double and writes allocate nothing. */
  nowMicros = 0.5;
  /** The calls of procedures, until they are sent. */
  readonly calls: CallBudget;
  readonly tasks: Coroutines;
  #listener = notConnected;
  /** The state that each scope last entered. */
  readonly #entered = new Map<string, EnteredState>();
  #records = noRecords;
  #effects = noEffects;

  constructor(
    start: EngineStart,
    results: RunResults | undefined,
    observer: StepObserver | undefined,
  ) {
    const calls = new CallBudget(start.venue.calls);
    this.calls = calls;
    this.tasks = new Coroutines({
      timers: this.timers,
      nowMicros: () => this.nowMicros,
      calls,
    });
    this.reportsInfo = start.reportsInfo !== false;
    this.keepsAllRecords = start.records !== 'results';
    this.results = results;
    this.observer = observer;
    this.nowMicros = start.startedMicros;
    const markets = start.markets.map(({ market }) => market);
    this.exposure = new Exposure(markets);
    this.facts = createGateFacts(start.environment, this.exposure, markets, start.venue);
    this.facts.health.storeDurable = start.storeDurable;
    this.facts.health.lockHeld = start.lockHeld;
    // The driver reports when its loop falls behind.
    this.facts.health.loopDelayMs = 0;
    const { tradingState } = this.facts;
    tradingState.global = 'ACTIVE';
    for (const { id } of start.settings.strategies) tradingState.strategies.set(id, 'ACTIVE');
    for (const { pair } of markets) tradingState.pairs.set(pair, 'ACTIVE');
    for (const entered of start.restored.tradingStates) {
      this.#enterState(entered.scope, entered.state);
      this.#entered.set(entered.scope, entered);
    }
    for (const { token, expiresMs } of start.restored.approvals)
      this.facts.approvals.add(token, expiresMs);
    this.exposure.trades.losingTrades = start.settings.limits.eachStrategy.losingTrades;
  }

  /** Sets the listener: once, when all parts exist and before anything changes. */
  connect(listener: ContextListener): void {
    this.#listener = listener;
  }

  get nowMs(): number {
    return Math.floor(this.nowMicros / 1000);
  }

  spawn(procedure: Procedure): void {
    this.tasks.spawn(procedure);
  }

  wakeAfter(milliseconds: number, run: () => void): void {
    this.timers.at(this.nowMicros + milliseconds * 1000, { onTime: run });
  }

  record(record: StoreRecord): void {
    // Most steps have one or two, and the first push to a list reserves room for many.
    const records = this.#records;
    if (records.length === 0) this.#records = [record];
    else if (records.length === 1) this.#records = [records[0] as StoreRecord, record];
    else records.push(record);
  }

  effect(effect: Effect): void {
    const effects = this.#effects;
    if (effects.length === 0) this.#effects = [effect];
    else if (effects.length === 1) this.#effects = [effects[0] as Effect, effect];
    else effects.push(effect);
  }

  notice(notice: Notice): void {
    this.effect({ kind: 'notice', notice });
  }

  incident(code: string, text: string): void {
    this.record({ kind: 'incident', incident: { atMs: this.nowMs, code, text } });
    this.notice({ level: 'alarm', topic: 'incident', text: `${code}: ${text}` });
  }

  /** Returns the state of `bot`, `strategy:<id>` or `pair:<pair>`. */
  tradingStateOf(scope: string): TradingState | undefined {
    const { global, pairs, strategies } = this.facts.tradingState;
    const [kind, name] = splitScope(scope);
    if (kind === 'bot') return global;
    return kind === 'pair' ? pairs.get(name) : strategies.get(name);
  }

  /** Returns those of `scopes` that are halted or reducing, with reason and time. */
  haltedScopes(scopes: readonly string[]): readonly ClosedScope[] {
    return scopes.flatMap((scope) => {
      const state = this.tradingStateOf(scope);
      if (state === undefined || state === 'ACTIVE') return [];
      const { reason = '', atMs = this.nowMs } = this.#entered.get(scope) ?? {};
      return [{ scope, state, reason, atMs }];
    });
  }

  setTradingState(scope: string, state: TradingState, reason: string): void {
    if (!this.#enterState(scope, state)) return;
    const entered = { atMs: this.nowMs, scope, state, reason };
    this.#entered.set(scope, entered);
    this.record({ kind: 'trading-state', ...entered });
    const level = state === 'ACTIVE' ? 'info' : 'alarm';
    this.notice({ level, topic: 'state', text: `${scope} is ${state}: ${reason}` });
    if (state === 'HALTED') this.#listener.halted(scope, reason);
  }

  /**
   * Resumes one scope that was halted or reducing. The breakers of a resumed strategy count from
   * now, because a person has seen why they tripped.
   */
  resume(scope: string, reason: string): void {
    this.setTradingState(scope, 'ACTIVE', reason);
    const [kind, strategyId] = splitScope(scope);
    if (kind !== 'strategy') return;
    this.exposure.activity.of(strategyId).resetBreakers();
    this.keepRiskState(resumedName(strategyId), JSON.stringify({ atMs: this.nowMs }));
  }

  /** Resumes every scope that is halted or reducing. */
  resumeAll(reason: string): void {
    const { pairs, strategies } = this.facts.tradingState;
    this.setTradingState('bot', 'ACTIVE', reason);
    for (const pair of pairs.keys()) this.setTradingState(`pair:${pair}`, 'ACTIVE', reason);
    for (const id of strategies.keys()) this.setTradingState(`strategy:${id}`, 'ACTIVE', reason);
    this.resetBreakers();
  }

  /** Makes all breakers and the drawdown count from now, because a person has seen them. */
  resetBreakers(): void {
    this.exposure.activity.resetBreakers();
    this.exposure.trades.resetBreakers();
    this.keepRiskState(resumedName(), JSON.stringify({ atMs: this.nowMs }));
    for (const [name, state] of this.exposure.trades.allStates()) this.keepRiskState(name, state);
  }

  /** Stores a state that the risk checks need after a restart. */
  keepRiskState(name: string, state: string): void {
    this.record({ kind: 'risk-state', name, state });
  }

  orderChanged(order: TrackedOrder, before: OrderState | undefined, proof?: Proof): void {
    this.#listener.orderChanged(order, before, proof);
  }

  orderTriggered(order: TrackedOrder): void {
    this.#listener.orderTriggered(order);
  }

  orderFilled(order: TrackedOrder, fill: OwnFill): void {
    this.#listener.orderFilled(order, fill);
  }

  cancelRefused(order: TrackedOrder, why: string): void {
    this.#listener.cancelRefused(order, why);
  }

  resendRefusals(order: TrackedOrder): readonly string[] {
    return this.#listener.resendRefusals(order);
  }

  wouldTrade(order: TrackedOrder): boolean {
    return this.#listener.wouldTrade(order);
  }

  closeMarket(pair: string, reason: string): void {
    this.#listener.marketClosed(pair, reason);
  }

  /** Takes a timestamp of the exchange's clock that arrived with the current event. */
  observeTime(exchangeTimeMs: number): void {
    this.exchangeClock.observe(exchangeTimeMs, this.nowMicros / 1000);
  }

  /** Drops all timestamps of the exchange, because our own clock has jumped. */
  forgetStamps(): void {
    this.exchangeClock.forget();
    this.#answerClock.forget();
  }

  /** As {@link observeTime}, for the answer to a request. */
  observeAnswer(exchangeTimeMs: number): void {
    this.observeTime(exchangeTimeMs);
    this.#answerClock.observe(exchangeTimeMs, this.nowMicros / 1000);
    const notice = this.#clockWatch.note(this.#answerClock.offsetMs);
    if (notice !== undefined) this.notice(notice);
  }

  /**
   * Returns the least time that has passed since `stampMs`, a timestamp of a stream. If it agrees
   * with our own clock and the clock in the answers differs from both, the stream is not late: the
   * clock in the answers is wrong, and no order is sent until it is right.
   */
  sinceStampMs(stampMs: number): number {
    const nowMs = this.nowMicros / 1000;
    const isAnswerClockWrong = Math.abs(this.#answerClock.offsetMs ?? 0) > clockSkewMsMax;
    if (isAnswerClockWrong && Math.abs(nowMs - stampMs) <= clockSkewMsMax) return nowMs - stampMs;
    const known = [this.exchangeClock, this.#answerClock].map((clock) => clock.nowMs(nowMs) ?? 0);
    return Math.max(...known) - stampMs;
  }

  /** Whether the current step has records or effects so far. */
  get hasOutputs(): boolean {
    return this.#records.length > 0 || this.#effects.length > 0;
  }

  /** Returns and clears the records and effects of the step. */
  takeOutputs(): Step {
    if (!this.hasOutputs) return nothing;
    const step = { records: this.#records, effects: this.#effects };
    // The lists of the next step are made with their first entry, exactly as long as needed.
    this.#records = noRecords;
    this.#effects = noEffects;
    return step;
  }

  /** Returns whether the scope was in another state before. */
  #enterState(scope: string, state: TradingState): boolean {
    const { tradingState } = this.facts;
    const [kind, name] = splitScope(scope);
    if (kind === 'bot') {
      const changed = tradingState.global !== state;
      tradingState.global = state;
      return changed;
    }
    const states = kind === 'pair' ? tradingState.pairs : tradingState.strategies;
    const changed = states.get(name) !== state;
    states.set(name, state);
    return changed;
  }
}

function splitScope(scope: string): readonly [kind: string, name: string] {
  const colon = scope.indexOf(':');
  return colon === -1 ? [scope, ''] : [scope.slice(0, colon), scope.slice(colon + 1)];
}
