/**
 * Runs a strategy in its real host against a script: the same virtual time, streams, validation of
 * intents and planning of quotes as in the engine, without a gate and an exchange.
 *
 *     marbles ─▶ views ─▶ streams of the strategy ─▶ intents ─▶ validated ─▶ orders ─▶ streams …
 *
 * At one time the timers that are due run first, which also close candles, then the events.
 */
import type { CallsLeft } from '../../domain/calls-left.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Intent, QuotedOrder } from '../../domain/intent.ts';
import type { Scales } from '../../domain/market.ts';
import type { Top } from '../../domain/market-view.ts';
import type { ParameterTexts } from '../../domain/parameter-texts.ts';
import { expiredRefusal } from '../../domain/refusal-text.ts';
import type { LineFields, SeriesPoint } from '../../domain/strategy-output.ts';
import { durationText } from '../../domain/unit-text.ts';
import { createSeededRandom } from '../../runtime/seeded-random.ts';
import { type AnyStrategy, isStrategy, type Strategy } from '../../strategy/contract.ts';
import { faultText } from '../../strategy/fault-text.ts';
import { StrategyHost } from '../../strategy/host.ts';
import type { MarketEvent } from '../../strategy/market-streams.ts';
import type { OwnOrder, Position, Refusal } from '../../strategy/own-views.ts';
import { changeParameters } from '../../strategy/parameters/change-parameters.ts';
import { fitStrategy } from '../../strategy/parameters/fit-strategy.ts';
import { lineOf } from '../matchers.ts';
import { testedStrategy } from '../tested-strategy.ts';
import type { TimedIntent } from '../timed-intent.ts';
import { leftOf } from './fake-account.ts';
import { FakeFeed } from './fake-feed.ts';
import type { FakeContextOptions } from './fake-options.ts';
import { type FakeEvent, type FakePair, type FakeScript, scriptOf } from './fake-script.ts';

/** What came of a run. */
export type FakeRun = {
  /** The intents that counted: of several quotes of a pair in one event the last, as of idles. */
  readonly intents: readonly TimedIntent[];
  /** The same as text, such as `30s quote XBTZAR: BID 0.01 at 999 (around the mid)`. */
  readonly lines: readonly string[];
  /** The refusals that the strategy saw, those of the script and of keys that it had used. */
  readonly refusals: readonly Refusal[];
  /** The lines that the strategy printed with `console`. */
  readonly printed: readonly string[];
  /** The lines that it gave to `log`, and those that say why something was left out. */
  readonly logged: readonly { readonly text: string; readonly fields: LineFields }[];
  /** The values of its metrics and plots, in order of time. */
  readonly points: readonly SeriesPoint[];
  /** The orders that are open at the end, by pair. */
  readonly orders: Readonly<Record<string, readonly OwnOrder[]>>;
  /** The position at the end, by pair. */
  readonly positions: Readonly<Record<string, Position>>;
  /** How many decimals prices and volumes have, by pair: intents are in ticks and lots. */
  readonly scales: Readonly<Record<string, Scales>>;
  /** The state of the last `remember`; undefined without one. */
  readonly state: unknown;
  /** What is remembered in slots at the end; of a part, as `part/name`. */
  readonly slots: Readonly<Record<string, unknown>>;
};

const roundsMax = 64;
/** Nothing is sent, so no limit applies. */
const callsLeft: CallsLeft = {
  ...{ perMinute: Infinity, forOrders: Infinity, nextOrderMs: 0, nextMoveMs: 0 },
};

/**
 * Runs a strategy over the script in `options` and returns what it did. Throws an Error with the
 * engine's message for an invalid intent, and if the strategy throws, ends or floods; throws
 * ConfigError for parameters that do not fit and a script that cannot be played.
 *
 *     const { lines } = fakeContext(strategy, {
 *       parameters: { size: '0.01' },
 *       top: ['a', { a: { bid: '999', ask: '1001' } }],
 *     });
 */
export function fakeContext<P, S>(
  strategy: Strategy<P, S>,
  options: FakeContextOptions = {},
): FakeRun {
  const tested = strategy as unknown as AnyStrategy;
  if (!isStrategy(tested))
    throw new ConfigError('fakeContext: the strategy must be what defineStrategy returned');
  const described = options.pairs ?? [options];
  const names = described.map(({ pair = 'XBTZAR' }) => pair);
  const watch = options.watch?.map(({ pair }) => pair) ?? [];
  const given = { pairs: names, watch, parameters: options.parameters ?? {} };
  const settings = { ...given, id: testedStrategy.id, plugin: strategy.name };
  const { parameters, warmUp } = fitStrategy(tested, settings);
  let held = settings;
  const change = (texts: ParameterTexts) => {
    const { fitted, given } = changeParameters(tested, held, texts);
    held = { ...held, parameters: given };
    return fitted.parameters;
  };
  const script = scriptOf(options, warmUp);
  const feeds = Object.keys(options.feeds ?? {}).map((name) => new FakeFeed(name));
  const random = createSeededRandom(settings.id);
  const host = new StrategyHost({
    settings: { ...testedStrategy, ...settings, budget: script.budget },
    strategy: tested,
    parameters,
    markets: marketsOf(script, names),
    watched: marketsOf(script, watch),
    feeds: new Map(feeds.map((one) => [one.name, one])),
    random: () => random.next(),
    callsLeft: () => callsLeft,
    state: storedOf(options),
    startMs: script.startMs,
  });
  return new Run(host, script, { change, feeds, slots: options.slots ?? {} }).play();
}

function marketsOf({ pairs }: FakeScript, names: readonly string[]) {
  const all = [...pairs].map(([pair, { market }]) => [pair, market] as const);
  return new Map(all.filter(([pair]) => names.includes(pair)));
}

/** Returns a strategy's own state and slots as the engine stores them. */
function storedOf({ state, slots = {} }: FakeContextOptions): unknown {
  if (state === undefined && Object.keys(slots).length === 0) return undefined;
  return { version: 2, ...(state === undefined ? {} : { state }), slots, periods: {} };
}

class Run {
  readonly #host: StrategyHost;
  readonly #script: FakeScript;
  /** Returns the parameters that hold after an operator has set some. */
  readonly #change: (texts: ParameterTexts) => unknown;
  readonly #feeds: readonly FakeFeed[];
  readonly #intents: TimedIntent[] = [];
  readonly #refusals: Refusal[] = [];
  readonly #printed: string[] = [];
  readonly #logged: FakeRun['logged'][number][] = [];
  readonly #points: SeriesPoint[] = [];
  readonly #tops = new Map<string, Top | undefined>();
  #state: unknown;
  #slots: FakeRun['slots'];
  /** The orders that were refused because they cross another part's. */
  #crossed = new Set<QuotedOrder>();
  #nowMs: number;
  #trades = 0;

  constructor(
    host: StrategyHost,
    script: FakeScript,
    parts: {
      readonly change: (texts: ParameterTexts) => unknown;
      readonly feeds: readonly FakeFeed[];
      readonly slots: FakeRun['slots'];
    },
  ) {
    this.#slots = parts.slots;
    this.#host = host;
    this.#script = script;
    this.#change = parts.change;
    this.#feeds = parts.feeds;
    this.#nowMs = script.startMs;
  }

  play(): FakeRun {
    const { startMs, endMs, events, pairs } = this.#script;
    // A strategy can read the first prices when it starts; its streams emit them right after.
    for (const event of events) if (event.kind === 'top' && event.atMs === 0) this.#setTop(event);
    this.#host.start(startMs);
    this.#settle();
    for (const event of events) {
      this.#moveTo(startMs + event.atMs);
      this.#play(event);
      this.#settle();
    }
    this.#moveTo(startMs + endMs);
    const intents = this.#intents;
    const all = [...pairs].map(([pair, { market }]) => [pair, market] as const);
    const scales = Object.fromEntries(all.map(([pair, { market }]) => [pair, market]));
    return {
      ...{ intents, refusals: this.#refusals, printed: this.#printed, state: this.#state },
      ...{ logged: this.#logged, points: this.#points, slots: this.#slots },
      ...{ scales, lines: intents.map((one) => lineOf(one, scales)) },
      orders: Object.fromEntries(all.map(([pair, market]) => [pair, market.orders()])),
      positions: Object.fromEntries(all.map(([pair, market]) => [pair, market.position()])),
    };
  }

  /** Runs the timers until `timeMs`, each at its time. */
  #moveTo(timeMs: number): void {
    for (;;) {
      if (Math.min(timeMs, this.#host.nextWakeMs()) > this.#nowMs) {
        for (const { market } of this.#script.pairs.values())
          this.#tell(market.endTakers(), market);
        this.#settle();
      }
      const markets = [...this.#script.pairs.values()].map(({ market }) => market);
      const expiryMs = Math.min(...markets.map(({ nextExpiryMs }) => nextExpiryMs));
      const wakeMs = Math.max(this.#nowMs, Math.min(expiryMs, this.#host.nextWakeMs()));
      this.#nowMs = Math.min(timeMs, wakeMs);
      for (const market of markets) this.#tell(market.endExpired(this.#nowMs), market);
      this.#host.advance(this.#nowMs);
      this.#settle();
      if (wakeMs > timeMs) return;
    }
  }

  #play(event: FakeEvent): void {
    const { of, what } = event;
    const { market, amounts } = of;
    const { pair } = market.market;
    switch (event.kind) {
      case 'top':
        this.#setTop(event);
        this.#tellTop(pair, market.top());
        return;
      case 'trade': {
        const sequence = String(++this.#trades);
        const trade = amounts.trade(what, event.value, { sequence, timeMs: this.#nowMs });
        this.#deliver({ kind: 'trade', pair, trade });
        return;
      }
      case 'candle': {
        const period = { startMs: this.#nowMs, intervalMs: this.#script.candleMs };
        const { open, high, low, close, volume } = amounts.candle(what, event.value, period);
        for (const add of this.#host.collectorsOf(pair)) add(open, high, low, close, volume);
        return;
      }
      case 'fill':
        this.#fill(event, of);
        return;
      case 'set':
        this.#host.setParameters(this.#nowMs, this.#change(event.value));
        return;
      case 'feed':
        for (const feed of this.#feeds)
          if (feed.name === event.name)
            for (const change of feed.take(event.value, this.#nowMs))
              this.#host.tellFeed(this.#nowMs, change);
        return;
      case 'refusal': {
        const { key, codes, observed = 'missing', limit = 'missing' } = event.value;
        this.#refuse(pair, { key, codes, observed, limit });
        return;
      }
    }
  }

  #fill({ value, what, atMs }: Extract<FakeEvent, { kind: 'fill' }>, of: FakePair): void {
    const { market, amounts } = of;
    try {
      const order = market.orderOf(value);
      const volume =
        value.volume === undefined ? leftOf(order) : amounts.lots(`${what}.volume`, value.volume);
      const price =
        value.price === undefined ? order.terms.price : amounts.ticks(`${what}.price`, value.price);
      const [fill, now] = market.fill(order, price, volume, this.#nowMs);
      this.#deliver({ kind: 'fill', pair: market.market.pair, fill });
      this.#tell([now], market);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new ConfigError(`fakeContext: fills, after ${durationText(atMs)}: ${error.message}`);
    }
  }

  #setTop({ of, value, what, atMs }: Extract<FakeEvent, { kind: 'top' }>): void {
    of.market.setTop(of.amounts.top(what, value, this.#script.startMs + atMs));
  }

  /** Tells the strategy what differs from the prices that it was told last. */
  #tellTop(pair: string, top: Top | undefined): void {
    const before = this.#tops.get(pair);
    this.#tops.set(pair, top);
    if ((before === undefined) !== (top === undefined))
      this.#deliver({ kind: 'usable', pair, usable: top !== undefined });
    if (top === undefined) return;
    if (before?.bid !== top.bid || before?.ask !== top.ask || before === undefined)
      this.#deliver({ kind: 'top', pair, top });
    this.#deliver({ kind: 'topWithVolume', pair, top });
  }

  #tell(orders: readonly OwnOrder[], { market: { pair } }: FakePair['market']): void {
    for (const order of orders) this.#deliver({ kind: 'order', pair, order });
  }

  #refuse(pair: string, refusal: Refusal): void {
    this.#refusals.push(refusal);
    this.#deliver({ kind: 'refusal', pair, refusal });
  }

  /** Delivers an event. Its intents are executed by {@link #settle}. */
  #deliver(event: MarketEvent): void {
    this.#host.deliver(this.#nowMs, event);
  }

  /** Executes the intents and tells the strategy of their consequences, until nothing is left. */
  #settle(): void {
    for (let round = 0; round < roundsMax; round++) {
      this.#check();
      const intents = this.#host.takeIntents();
      const changes = intents.map((intent) => this.#execute(intent));
      for (const pair of this.#script.pairs.values()) {
        const orders = pair.market.plan();
        if (orders.length > 0) changes.push(() => this.#tell(orders, pair.market));
        changes.push(...this.#crossings(pair.market));
      }
      if (changes.length === 0) return;
      for (const tell of changes) tell();
    }
    throw new Error(
      `fakeContext: after ${this.#time()}: the strategy reacted to its own orders for more than ${roundsMax} rounds`,
    );
  }

  /** Returns what tells the strategy of orders that cross those of another part, once for each. */
  #crossings({ market: { pair }, crossed }: FakePair['market']): (() => void)[] {
    const told = this.#crossed;
    this.#crossed = new Set([...this.#crossed, ...crossed.map(({ order }) => order)]);
    return crossed
      .filter(({ order }) => !told.has(order))
      .map(({ order, against }) => {
        const limit = `${against.side} ${against.level} at ${against.price}`;
        const observed = `${order.side} ${order.level} at ${order.price}`;
        const refusal = { key: order.level, codes: ['QUOTE_CROSSED'], observed, limit };
        return () => this.#refuse(pair, refusal);
      });
  }

  /** Executes an intent, and returns what tells the strategy of it. */
  #execute(intent: Intent): () => void {
    const atMs = this.#nowMs - this.#script.startMs;
    if (intent.kind === 'remember') {
      // The host adds the periods of schedules, and asks to store each of them.
      const { state, slots = {} } = intent.state as Pick<FakeContextOptions, 'state' | 'slots'>;
      if (state !== this.#state) this.#intents.push({ atMs, intent: { kind: 'remember', state } });
      for (const [slot, value] of Object.entries(slots))
        if (value !== this.#slots[slot])
          this.#intents.push({ atMs, intent: { kind: 'remember', slot, state: value } });
      this.#state = state;
      this.#slots = slots;
      return () => {};
    }
    this.#intents.push({ atMs, intent });
    if (intent.kind === 'done') return () => {};
    const { pair } = intent;
    const market = this.#script.pairs.get(pair)?.market;
    if (market === undefined) throw new ConfigError(`fakeContext: no pair ${pair}`);
    if (intent.kind === 'place' && market.hasUsed(intent.key)) {
      const { key } = intent;
      return () => this.#refuse(pair, { key, codes: ['KEY_USED'], observed: key, limit: 'a new' });
    }
    if (intent.kind === 'place' && (intent.expiresMs ?? Infinity) <= this.#nowMs) {
      const { key, expiresMs = 0 } = intent;
      const { observed, limit } = expiredRefusal(expiresMs, this.#nowMs);
      return () => this.#refuse(pair, { key, codes: ['EXPIRED'], observed, limit });
    }
    const orders = market.accept(intent);
    return () => this.#tell(orders, market);
  }

  /** Throws what the engine would report about the strategy. */
  #check(): void {
    for (const { text } of this.#host.takePrinted()) this.#printed.push(text);
    const { outputs } = this.#host;
    for (const { text, fields = {} } of outputs.takeLines()) this.#logged.push({ text, fields });
    this.#points.push(...outputs.takePoints());
    const [fault] = this.#host.takeFaults();
    const [invalid] = this.#host.takeInvalid();
    if (invalid !== undefined)
      throw new Error(
        `after ${this.#time()} the strategy emitted an invalid intent: ${invalid.code}: ${invalid.problem}`,
      );
    if (fault !== undefined) throw new Error(faultText(fault));
  }

  #time(): string {
    return durationText(this.#nowMs - this.#script.startMs);
  }
}
