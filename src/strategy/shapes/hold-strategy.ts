/**
 * A strategy that says how much of its size it would like to hold. The shape works towards it, one
 * order at a time: it rounds, keeps within what there is room for, and takes the dust of an earlier
 * position along.
 *
 * Invariants: it uses only the public contract; it is never short; a wish that makes no sense
 * places no order, and the reason says so.
 */
import { defer, filter, map, merge, type Observable, tap } from 'rxjs';
import type { Intent } from '../../domain/intent.ts';
import type { Side } from '../../domain/market.ts';
import type { Candle } from '../../domain/market-view.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { type Context, defineStrategy, type MarketContext, type Strategy } from '../contract.ts';
import { describe, isPlainObject } from '../json-value.ts';
import type { Room } from '../own-views.ts';
import { param } from '../parameters/param.ts';
import { amount, share, span } from '../parameters/parameter-types.ts';
import {
  checkOptions,
  orderSizeIn,
  type ParameterProblems,
  type ParameterTypes,
  type ParameterValues,
  reasonOf,
  schemaOf,
  tagProblem,
  type WithOwn,
} from './shape-parameters.ts';

const ownParameters = {
  size: param(amount, { description: 'The most that it holds, in the base currency.' }),
  candle: param(span, { description: 'The length of a candle.', default: '60s' }),
  slip: param(share, {
    description: 'How much worse than the best price an order may trade.',
    ...{ from: '0bps', to: '99.99%', default: '10bps', mayChange: true },
  }),
};

const ownKinds = { size: 'an amount', candle: 'a span', slip: 'a share' } as const;

/** The parameters of a strategy that holds: its own, and those that every one has. */
export type HoldParameters<Types extends ParameterTypes> = WithOwn<Types, typeof ownParameters>;

/** What a strategy knows when it is asked how much to hold. */
export type HoldMoment<P> = {
  /** The parameters that hold now. */
  readonly parameters: P;
  /** The last `history` candles that are closed, oldest first. A live view: never keep it. */
  readonly candles: readonly Candle[];
  /** The pair: best prices, position, orders, rules. */
  readonly market: MarketContext;
  /** Everything else: funds, time, random numbers. */
  readonly context: Context<P, undefined>;
};

/** How much a strategy would like to hold. */
export type Hold = {
  /** As a share of the parameter `size`, from 0 to 1: 1 is all of it. */
  readonly share: number;
  /** Why, for people. */
  readonly why: string;
  /** A word for the order that this leads to, see `QuotedOrder`. */
  readonly tag?: string;
  /** True if this is the end of the task: the strategy is done when it holds that. */
  readonly isLast?: boolean;
};

/** A strategy that holds, as {@link holdStrategy} takes it. */
export type HoldOptions<Types extends ParameterTypes, P = HoldParameters<Types>> = {
  /** See `Strategy.name`. */
  readonly name: string;
  /**
   * The strategy's own parameters. Beside them it has `size`, the most that it holds; `candle`, the
   * length of a candle (60s), with a `history` whole minutes; and `slip`, how much worse
   * than the best price an order may trade (10bps). One of the same name replaces it.
   */
  readonly parameters: Types;
  /** How many pairs it only watches, `context.watched`; 0 unless given. */
  readonly watches?: number;
  /** Returns what is wrong with parameters that do not fit together, by name. */
  readonly check?: (parameters: P) => ParameterProblems<P>;
  /** Returns how many closed candles `hold` needs, from 0; they are there from the start. */
  readonly history?: (parameters: P) => number;
  /** When `hold` is asked: at each closed candle, or at each change of the best prices. */
  readonly on?: 'candle' | 'change';
  /**
   * `taking` (unless given): IOC orders, up to `slip` beyond the best price. `resting`: a post-only
   * order at the best price of its own side, which follows it.
   */
  readonly by?: 'taking' | 'resting';
  /**
   * Returns how much to hold. If it returns undefined, its last answer still holds; a restart
   * forgets that answer.
   */
  readonly hold: (moment: HoldMoment<P>) => Hold | undefined;
};

/** A smaller difference from what is wanted, as a share of the size, is left. */
const leastShare = 0.05;
/** After an order, the next one waits this long if `hold` is asked at each change. */
const restMs = 1_000;

/**
 * Returns a strategy that works towards what `hold` wants. Throws {@link ConfigError} for an
 * invalid name, as `defineStrategy` does.
 */
export function holdStrategy<const Types extends ParameterTypes>(
  options: HoldOptions<Types>,
): Strategy<HoldParameters<Types>, undefined> {
  type P = HoldParameters<Types>;
  // Every strategy that holds has them; TypeScript cannot see it while `Types` is open.
  const own = (parameters: P) => parameters as unknown as ParameterValues<typeof ownParameters>;
  checkOptions('holdStrategy', options, {
    required: ['hold'],
    plain: ['name', 'parameters', 'watches'],
    functions: ['hold', 'check', 'history'],
    others: [
      ['on', ['candle', 'change']],
      ['by', ['taking', 'resting']],
    ],
  });
  const { history = () => 0, by = 'taking' } = options;
  return defineStrategy<P>({
    name: options.name,
    parameters: schemaOf<P>(ownParameters, ownKinds, { ...options, fixed: ['candle'] }),
    pairs: 1,
    watches: options.watches ?? 0,
    needs: (parameters) => ({
      sides: ['BID', 'ASK'],
      timeInForce: [by === 'taking' ? 'IOC' : 'GTC'],
      postOnly: by === 'resting',
      size: own(parameters).size,
    }),
    warmUp: (parameters) => {
      const candles = history(parameters);
      // Without a history its candles may have any length.
      return { intervalMs: candles === 0 ? 60_000 : own(parameters).candle, candles };
    },
    run(context) {
      const [market] = context.pairs as readonly [MarketContext];
      const { size, candle } = own(context.parameters);
      const count = history(context.parameters);
      orderSizeIn(market, size);
      const orderOf = (parameters: P) => {
        const { size, slip } = own(parameters);
        return { parameters, size: market.lots(size), slip };
      };
      let order = orderOf(context.parameters);
      const orderNow = () => {
        if (order.parameters !== context.parameters) order = orderOf(context.parameters);
        return order;
      };
      return defer(() =>
        new Holding({ options, context, market, orderNow, count }).intents(candle),
      );
    },
  });
}

type HoldingParts<Types extends ParameterTypes> = {
  readonly options: HoldOptions<Types>;
  readonly context: Context<HoldParameters<Types>, undefined>;
  readonly market: MarketContext;
  /** Returns the size and the slip that hold now. */
  readonly orderNow: () => { readonly size: Lots; readonly slip: number };
  /** How many candles `hold` needs. */
  readonly count: number;
};

/** What is missing of what is wanted, or has to go. */
type Missing = { readonly side: Side; readonly volume: Lots };

/** Nothing is missing. */
type Held = { readonly isHeld: true; readonly text: string };

class Holding<Types extends ParameterTypes> {
  readonly #parts: HoldingParts<Types>;
  readonly #candles: Candle[];
  /** The candle that has closed last; undefined before the first one of the run. */
  #closed: Candle | undefined;
  #wanted: Hold | undefined;
  /** When the last order was placed, and how many there were. */
  #placedMs = Number.NEGATIVE_INFINITY;
  #placed = 0;

  constructor(parts: HoldingParts<Types>) {
    this.#parts = parts;
    this.#candles = parts.count === 0 ? [] : parts.market.history.slice(-parts.count);
  }

  intents(intervalMs: number): Observable<Intent> {
    const { options, market, count } = this.#parts;
    const asksAt = options.on === 'change' ? 'change' : 'candle';
    const closes$ = market.candle$(intervalMs).pipe(
      tap((candle) => this.#close(candle)),
      map(() => 'candle' as const),
    );
    const changes$ = market.top$.pipe(map(() => 'change' as const));
    const isResting = options.by === 'resting';
    const fills$ = market.fill$.pipe(map(() => 'fill' as const));
    return merge(
      ...(asksAt === 'candle' || count > 0 ? [closes$] : []),
      ...(asksAt === 'change' || isResting ? [changes$] : []),
      ...(isResting ? [fills$] : []),
    ).pipe(
      filter((cause) => cause === asksAt || isResting),
      map((cause) => {
        if (cause === asksAt) this.#ask();
        return isResting ? this.#rest() : this.#take();
      }),
    );
  }

  #close(candle: Candle): void {
    this.#closed = candle;
    this.#candles.push(candle);
    while (this.#candles.length > this.#parts.count) this.#candles.shift();
  }

  #ask(): void {
    const { options, context, market, count } = this.#parts;
    if (this.#candles.length < count) return;
    const { parameters } = context;
    const wanted = options.hold({ parameters, candles: this.#candles, market, context });
    this.#wanted = wanted ?? this.#wanted;
  }

  /** Returns what has to change, or why nothing is ordered. */
  #missing(): Missing | Held | string {
    const { market, orderNow, count } = this.#parts;
    if (this.#candles.length < count) return `${this.#candles.length} of ${count} candles`;
    const wanted = this.#wanted;
    if (wanted === undefined) return 'no wish yet';
    if (!isPlainObject(wanted))
      return `hold returned ${describe(wanted)}, and must return share and why`;
    const { share: part, tag } = wanted;
    if (typeof part !== 'number' || !(part >= 0 && part <= 1))
      return `the wanted share is ${describe(part)}, and must be a number from 0 to 1`;
    const problem = tagProblem(tag);
    if (problem !== undefined) return problem;
    const { size } = orderNow();
    const target = Math.floor(size * part);
    const { position, rules } = market;
    const { volumeMin } = rules;
    const held = position.base;
    // Fees that were taken from what was bought are not worth an order, except to sell all.
    const least = target === 0 ? volumeMin : Math.max(volumeMin, size * leastShare);
    const isSmall = Math.abs(target - held) < least;
    // Dust is too small to be sold alone; it is part of the next position.
    if (held < volumeMin && target >= volumeMin)
      return { side: 'BID', volume: Math.max(volumeMin, target - held) as Lots };
    if (!isSmall) {
      const volume = Math.abs(target - held) as Lots;
      // What would be left must not be too small to be sold.
      const isRest = target < held && target < volumeMin;
      return { side: target > held ? 'BID' : 'ASK', volume: isRest ? held : volume };
    }
    const dust = market.isDust ? `, with a remainder of ${market.holding} ${market.base}` : '';
    return { isHeld: true, text: `holds what it wants${dust}: ${this.#why()}` };
  }

  /** Returns the end of the task, if it is reached; otherwise `nothing` with the reason. */
  #held({ text }: Held, nothing: (text: string) => Intent): Intent {
    return this.#wanted?.isLast === true && this.#parts.market.orders.length === 0
      ? { kind: 'done', reason: reasonOf([text]) }
      : nothing(text);
  }

  /** Returns an order that trades at once, or why there is none. */
  #take(): Intent {
    const { options, context, market, orderNow } = this.#parts;
    const { pair, top } = market;
    const idle = (text: string): Intent => ({ kind: 'idle', pair, reason: reasonOf([text]) });
    const missing = this.#missing();
    if (typeof missing === 'string') return idle(missing);
    if ('isHeld' in missing) return this.#held(missing, idle);
    if (market.orders.length > 0) return idle('an order is open');
    const { side } = missing;
    const isBid = side === 'BID';
    const best = isBid ? top?.ask : top?.bid;
    if (best === undefined) return idle('the other side of the book is empty');
    const nowMs = context.nowMs();
    if (options.on === 'change' && nowMs < this.#placedMs + restMs)
      return idle('an order was placed within a second');
    const { slip } = orderNow();
    const price = isBid
      ? market.round(best * (1 + slip), 'down')
      : market.round(best * (1 - slip), 'up');
    const room = market.room(side, price, missing.volume);
    if (room.volume === 0) return idle(`no ${isBid ? 'bid' : 'ask'}: ${room.why}`);
    this.#placedMs = nowMs;
    return {
      kind: 'place',
      pair,
      key: this.#key(nowMs),
      terms: { side, price, volume: room.volume, timeInForce: 'IOC' },
      ...this.#tag(),
      reason: this.#reasonFor(room),
    };
  }

  #tag(): { readonly tag?: string } {
    const tag = this.#wanted?.tag;
    return tag === undefined ? {} : { tag };
  }

  #why(): string {
    const why: unknown = this.#wanted?.why;
    return typeof why === 'string' && why !== '' ? why : 'no reason given';
  }

  #reasonFor({ why }: Room): string {
    return reasonOf(why === undefined ? [this.#why()] : [this.#why(), why]);
  }

  /** At most one order per candle, also after a restart; otherwise one per moment. */
  #key(nowMs: number): string {
    const { options } = this.#parts;
    if (options.on !== 'change' && this.#closed !== undefined) return String(this.#closed.startMs);
    return `${nowMs}.${++this.#placed}`;
  }

  /** Returns an order that waits at the best price of its side, or none and why. */
  #rest(): Intent {
    const { market } = this.#parts;
    const { pair, top } = market;
    const none = (text: string): Intent => ({
      ...{ kind: 'quote', pair, orders: [], reason: reasonOf([text]) },
    });
    const missing = this.#missing();
    if (typeof missing === 'string') return none(missing);
    if ('isHeld' in missing) return this.#held(missing, none);
    const { side } = missing;
    const isBid = side === 'BID';
    const price = isBid ? top?.bid : top?.ask;
    if (price === undefined) return none('its own side of the book is empty');
    const replaced = market.orders.filter(
      ({ terms, level }) => terms.side === side && level !== undefined,
    );
    const room = market.room(side, price as Ticks, missing.volume, { replaced });
    if (room.volume === 0) return none(`no ${isBid ? 'bid' : 'ask'}: ${room.why}`);
    const terms = { side, price, volume: room.volume, postOnly: true } as const;
    const order = { level: 'hold', ...terms, ...this.#tag() };
    // An old order that still fills while its replacement is open would exceed what is wanted.
    return {
      kind: 'quote',
      pair,
      orders: [order],
      onMove: 'cancel',
      reason: this.#reasonFor(room),
    };
  }
}
