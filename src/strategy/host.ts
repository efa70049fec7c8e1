/**
 * Runs one strategy inside the engine: feeds its streams, collects its intents, and isolates its
 * failures.
 *
 *     ready ──start──▶ running ──done, throws, ends, floods, invalid intents, stop──▶ stopped
 *
 * The engine updates all views, calls `deliver` for each stream value of the event, calls `advance`
 * if time has passed, and takes the intents when every strategy has run.
 *
 * Invariants: synchronous; no promise, clock, timer or randomness of its own: `nowMs` comes with
 * every call and never decreases; nothing that a plugin does makes a method throw; once it has
 * stopped, no code of the plugin runs, and unless it is done, only its `remember` intents are kept.
 */

import { isObservable, Observable, type Unsubscribable } from 'rxjs';
import { assert } from '../domain/errors.ts';
import type { Intent } from '../domain/intent.ts';
import type { TradeCollector } from '../domain/market-view.ts';
import { createLineConsole } from '../runtime/line-console.ts';
import type { SeenTrades } from './candle-stream.ts';
import { errorTextOf } from './error-place.ts';
import { EventSource } from './event-source.ts';
import { type FaultKind, type HostFault, promiseText } from './fault-text.ts';
import { type FeedChange, StrategyFeeds } from './feeds/strategy-feeds.ts';
import type { HostOptions } from './host-options.ts';
import { IntentQueue } from './intent-queue.ts';
import type { IntentScope } from './intents/intent-members.ts';
import { type InvalidIntent, InvalidIntents } from './invalid-intents.ts';
import { describe, freezeDeep } from './json-value.ts';
import { type StrategyPairs, strategyPairsOf } from './market/strategy-pairs.ts';
import { type MarketEvent, MarketStreams } from './market-streams.ts';
import { StrategyOutputs } from './outputs/strategy-outputs.ts';
import type { PartDoor } from './parts/part-stream.ts';
import { StrategyParts } from './parts/strategy-parts.ts';
import { type PrintedLine, PrintedLines } from './printed-lines.ts';
import { createStrategyContext } from './strategy-context.ts';
import { StrategyState, UnfitStateError } from './strategy-state.ts';
import { type LastIntents, type Validation, validateIntent } from './validate-intent.ts';
import { VirtualScheduler } from './virtual-scheduler.ts';
import {
  enterVirtualTime,
  installVirtualTime,
  leaveVirtualTime,
  runInVirtualTime,
  type VirtualScope,
} from './virtual-time.ts';

export type HostStatus = 'ready' | 'running' | 'stopped';

const noCollectors: readonly TradeCollector[] = [];
type RememberIntent = Extract<Intent, { kind: 'remember' }>;

const faultsMax = 10;
const messageLengthMax = 2_000;

export class StrategyHost {
  readonly id: string;
  readonly #strategy: HostOptions['strategy'];
  readonly #pairs: StrategyPairs;
  readonly #streams = new Map<string, MarketStreams>();
  /** The streams of the first pair. Most strategies have no other, and a map takes longer. */
  readonly #firstPair: string | undefined;
  readonly #firstStreams: MarketStreams | undefined;
  readonly #scheduler: VirtualScheduler;
  readonly #scope: VirtualScope;
  readonly #intents = new IntentQueue();
  readonly #last: LastIntents = { quotes: new Map(), idle: undefined };
  readonly #options: HostOptions;
  #subscription: Unsubscribable | undefined;
  #status: HostStatus = 'ready';
  #stopReason: string | undefined;
  #faults: HostFault[] = [];
  readonly #invalid = new InvalidIntents();
  readonly #printed = new PrintedLines();
  /** What it gives out for people with `log`, `metric` and `plot`. */
  readonly outputs: StrategyOutputs;
  #inside = false;
  readonly #feeds: StrategyFeeds;
  #parameters: unknown;
  readonly #newParameters = new EventSource<unknown>();

  constructor(options: HostOptions) {
    installVirtualTime();
    this.#options = options;
    this.id = options.settings.id;
    this.#parameters = freezeDeep(options.parameters);
    this.#strategy = options.strategy;
    this.#pairs = strategyPairsOf(options.settings);
    for (const pair of this.#pairs.seen) this.#streams.set(pair, new MarketStreams());
    const [first] = this.#pairs.seen;
    this.#firstPair = first;
    this.#firstStreams = first === undefined ? undefined : this.#streams.get(first);
    this.#feeds = new StrategyFeeds(options.feeds ?? new Map());
    this.#scheduler = new VirtualScheduler(options.startMs);
    this.outputs = new StrategyOutputs({
      strategyId: this.id,
      nowMs: () => this.#scheduler.now(),
      isInEvent: () => this.#inside,
      print: (line) => this.#printed.add('warn', line, this.#scheduler.now()),
    });
    this.#scope = {
      scheduler: this.#scheduler,
      reportError: (error) => this.#fail('threw', errorTextOf(error)),
      reportPromise: () => this.#fail('outside-event', promiseText),
      console: createLineConsole((level, line) =>
        this.#printed.add(level, line, this.#scheduler.now()),
      ),
    };
  }

  get status(): HostStatus {
    return this.#status;
  }

  /** Why it has stopped; undefined if it has not. */
  get stopReason(): string | undefined {
    return this.#stopReason;
  }

  /**
   * Calls the plugin's `run`, once, and subscribes to its intents. `seen` has the trades from the
   * time that the strategy waited to start.
   */
  start(nowMs: number, seen?: SeenTrades): void {
    assert(this.#status === 'ready', `strategy ${this.id} was started twice`);
    this.#status = 'running';
    this.#enter(nowMs, 'start', () => {
      const state = new StrategyState(this.#strategy.state, this.#options.state);
      const parts = this.#createParts(state);
      const scope = { pairs: this.#pairs, parts };
      const intent$: unknown = this.#strategy.run(this.#createContext(state, parts, seen));
      if (!isObservable(intent$))
        throw new TypeError(`run must return an Observable, was ${describe(intent$)}`);
      this.#stoppable(intent$).subscribe({
        next: (value) => this.#accept(value, state, scope),
        error: (error: unknown) => this.#failBy(error),
        complete: () => {
          if (this.#status === 'running') this.#fail('completed', 'the stream of intents ended');
        },
      });
      if (this.#status === 'running') parts.endAbsent();
    });
  }

  /**
   * Returns whether the plugin is subscribed to `kind` of `pair`; if not, the engine need not
   * create the value.
   */
  isObserved(pair: string, kind: MarketEvent['kind']): boolean {
    return this.#status === 'running' && this.#streamsOf(pair)?.isObserved(kind) === true;
  }

  /** Returns whether code of the plugin runs on each event of `kind` of `pair`. */
  hasSubscribers(pair: string, kind: MarketEvent['kind']): boolean {
    return this.#status === 'running' && this.#streamsOf(pair)?.hasSubscribers(kind) === true;
  }

  /** Returns whether code of the plugin runs on market messages of `pair`. */
  followsMarket(pair: string): boolean {
    return this.#status === 'running' && this.#streamsOf(pair)?.followsMarket === true;
  }

  /** What collects the trades of `pair` for candles. */
  collectorsOf(pair: string): readonly TradeCollector[] {
    const streams = this.#status === 'running' ? this.#streamsOf(pair) : undefined;
    return streams === undefined ? noCollectors : streams.collectors;
  }

  #streamsOf(pair: string): MarketStreams | undefined {
    return pair === this.#firstPair ? this.#firstStreams : this.#streams.get(pair);
  }

  /**
   * Emits one value to the plugin. The host freezes it, so the engine must not change it
   * afterwards.
   */
  deliver(nowMs: number, event: MarketEvent): void {
    const streams = this.#streamsOf(event.pair);
    if (streams === undefined) assert(false, `strategy ${this.id} does not see ${event.pair}`);
    if (this.#status !== 'running' || !streams.isObserved(event.kind)) return;
    this.#enter(nowMs, undefined, undefined, streams, event);
  }

  /** Gives the strategy other parameters, already checked, and tells it. */
  setParameters(nowMs: number, parameters: unknown): void {
    this.#parameters = freezeDeep(parameters);
    if (this.#status === 'running' && this.#newParameters.isObserved)
      this.#enter(nowMs, 'parameters', () => this.#newParameters.emit(this.#parameters));
  }

  /** Tells the strategy what happened to a feed of its settings. */
  tellFeed(nowMs: number, change: FeedChange): void {
    if (this.#status === 'running' && this.#feeds.isObserved(change))
      this.#enter(nowMs, change, () => this.#feeds.emit(change));
  }

  /** Runs the due timers, which also close candles. */
  advance(nowMs: number): void {
    if (this.#status === 'running') this.#enter(nowMs, 'timer');
  }

  /** When `advance` is next needed; Infinity if no timer is waiting. */
  nextWakeMs(): number {
    return this.#status === 'running' ? this.#scheduler.nextDueMs : Infinity;
  }

  /** Whether there are intents, invalid intents, faults, lines or values to take. */
  get hasOutputs(): boolean {
    if (!this.#intents.isEmpty || this.#faults.length > 0) return true;
    return !this.#invalid.isEmpty || !this.#printed.isEmpty || !this.outputs.isEmpty;
  }

  /** Returns the lines that the strategy has printed since the last take. */
  takePrinted(): readonly PrintedLine[] {
    return this.#printed.take();
  }

  /** Returns the invalid intents since the last take. */
  takeInvalid(): readonly InvalidIntent[] {
    return this.#invalid.take();
  }

  /** Returns the intents collected since the last take. */
  takeIntents(): readonly Intent[] {
    return this.#intents.take();
  }

  /** Returns the faults since the last take. */
  takeFaults(): readonly HostFault[] {
    const faults = this.#faults;
    if (faults.length > 0) this.#faults = [];
    return faults;
  }

  /** Stops the plugin. Does nothing if it has stopped already. */
  stop(nowMs: number, reason: string): void {
    if (this.#status === 'stopped') return;
    this.#scheduler.moveTo(nowMs);
    this.#intents.keepState();
    this.#end(reason);
  }

  /**
   * Runs code of the plugin on virtual time, between due timers: `body`, or the subscribers of
   * `event`. The event is passed as values, since a closure for each would be slow.
   */
  #enter(
    nowMs: number,
    cause: 'start' | 'timer' | 'parameters' | FeedChange | undefined,
    body?: () => void,
    streams?: MarketStreams,
    event?: MarketEvent,
  ): void {
    if (this.#inside) assert(false, `strategy ${this.id} is entered while it runs`);
    this.#inside = true;
    const scheduler = this.#scheduler;
    scheduler.moveTo(nowMs);
    const { observer } = this.#options;
    observer?.entering(
      this.id,
      event ?? (typeof cause === 'object' ? cause : { kind: cause ?? 'timer' }),
    );
    const before = enterVirtualTime(this.#scope);
    try {
      scheduler.runDue();
      if (this.#status === 'running' && (body !== undefined || event !== undefined)) {
        body?.();
        if (event !== undefined) streams?.emit(event);
        scheduler.runDue();
      }
    } catch (error) {
      this.#failBy(error);
    } finally {
      leaveVirtualTime(before);
      this.#inside = false;
      observer?.left(this.id);
    }
  }

  /** Wraps `intent$` so that it can be stopped during the subscription, as a flood requires. */
  #stoppable(intent$: Observable<unknown>): Observable<unknown> {
    return new Observable((subscriber) => {
      this.#subscription = subscriber;
      return intent$.subscribe(subscriber);
    });
  }

  #accept(value: unknown, state: StrategyState, scope: IntentScope<StrategyParts>): void {
    if (!this.#isInEvent('an intent was emitted')) return;
    const validation = validateIntent(value, scope, this.#last);
    if (validation.kind === 'invalid') this.#refuse(validation);
    else if (validation.intent.kind === 'remember') {
      this.#remember(state, validation.intent);
    } else {
      scope.parts.note(validation.intent);
      this.#push(validation.intent);
      if (validation.intent.kind === 'done') this.#end(`done: ${validation.intent.reason}`);
    }
  }

  /** Whether the strategy runs, in an event: otherwise what has happened stops it. */
  #isInEvent(what: string): boolean {
    if (this.#status !== 'running') return false;
    if (this.#inside) return true;
    this.#fail('outside-event', `${what} outside an event, from a promise or a real timer`);
    return false;
  }

  #refuse({ pair, key, code, problem }: Extract<Validation, { kind: 'invalid' }>): void {
    const known = pair ?? this.#pairs.seen[0] ?? '';
    const invalid = { pair: known, key, code, problem: problem.slice(0, messageLengthMax) };
    if (!this.#invalid.add(invalid, this.#scheduler.now())) this.#fail('invalid-intent', problem);
  }

  #refuseOther(problem: string): void {
    this.#refuse({ kind: 'invalid', code: 'INVALID_INTENT', problem, pair: undefined, key: '' });
  }

  #remember(state: StrategyState, { slot, state: value }: RememberIntent): void {
    if (slot !== undefined && !state.hasSlot(slot)) {
      this.#refuseOther(`there is no open slot ${slot}, as context.slot makes it`);
      return;
    }
    try {
      state.remember(value, slot);
    } catch (error) {
      this.#fail('state', errorTextOf(error));
      return;
    }
    this.#push(state.toIntent());
  }

  /** Queues a frozen intent. */
  #push(intent: Intent): void {
    this.#failIfFlooded(this.#intents.push(intent, this.#scheduler.now()));
  }

  #failIfFlooded(limit: string | undefined): void {
    if (limit !== undefined) this.#fail('flooded', limit);
  }

  #failBy(error: unknown): void {
    this.#fail(error instanceof UnfitStateError ? 'state' : 'threw', errorTextOf(error));
  }

  #fail(kind: FaultKind, text: string): void {
    const message = text.slice(0, messageLengthMax);
    const timeMs = this.#scheduler.now();
    if (this.#faults.length < faultsMax)
      this.#faults.push({ strategyId: this.id, kind, message, timeMs });
    if (this.#status === 'stopped') return;
    // The next start needs the state that the strategy set before it failed.
    this.#intents.keepState();
    this.#end(`${kind}: ${message}`);
  }

  #end(reason: string): void {
    this.#status = 'stopped';
    this.#stopReason = reason;
    this.#printed.end();
    this.outputs.end();
    const wasInside = this.#inside;
    this.#inside = true;
    try {
      runInVirtualTime(this.#scope, () => {
        this.#scheduler.clear();
        this.#subscription?.unsubscribe();
      });
    } catch (error) {
      this.#fail('threw', errorTextOf(error));
    } finally {
      this.#inside = wasInside;
    }
  }

  #createParts(state: StrategyState): StrategyParts {
    return new StrategyParts({
      ...{ state, markets: this.#options.markets, quotes: this.#last.quotes },
      push: (intent) => this.#push(intent),
      refuse: (problem) => this.#refuseOther(problem),
      count: () => this.#failIfFlooded(this.#intents.count(this.#scheduler.now())),
      mayAct: (what) => this.#isInEvent(what),
    });
  }

  #createContext(state: StrategyState, door: PartDoor, seen?: SeenTrades) {
    return createStrategyContext({
      watched: new Map(),
      ...this.#options,
      ...{ streams: this.#streams, intents: this.#intents, scheduler: this.#scheduler },
      ...{ state, door, seen, outputs: this.outputs, feed: (name) => this.#feeds.get(name) },
      parameters: () => this.#parameters,
      parameters$: this.#newParameters.stream$,
      remember: () => this.#push(state.toIntent()),
    });
  }
}
