/**
 * A strategy that says where it would like to quote. Prices may be fractions of a tick; they are
 * rounded away from the market, and never cross it. Sizes are what there is room for.
 *
 * Invariants: nothing but the public contract is used; a wish that makes no sense withdraws the
 * side that it concerns, and the reason says so.
 */
import {
  defer,
  distinctUntilChanged,
  filter,
  isObservable,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  startWith,
  switchMap,
  tap,
} from 'rxjs';
import type { Intent } from '../../domain/intent.ts';
import type { Ticks } from '../../domain/money.ts';
import { type Context, defineStrategy, type MarketContext, type Strategy } from '../contract.ts';
import { describe } from '../json-value.ts';
import type { OwnOrder, Position } from '../own-views.ts';
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
  type WithOwn,
} from './shape-parameters.ts';
import { ordersOfQuote, type Quote } from './wanted-quote.ts';

const ownParameters = {
  size: param(amount, { description: 'The volume of each level, in the base currency.' }),
  refresh: param(span, {
    description: 'The longest time between two updates of the quotes.',
    default: '15s',
  }),
  tolerance: param(share, {
    description: 'How far an order may be from its wanted price before it moves, of the mid.',
    ...{ from: '0bps', to: '99.99%', default: '2bps', mayChange: true },
  }),
};

const ownKinds = { size: 'an amount', refresh: 'a span', tolerance: 'a share' } as const;

/** The parameters of a strategy that quotes: its own, and those that every one has. */
export type QuoteParameters<Types extends ParameterTypes> = WithOwn<Types, typeof ownParameters>;

/** What a strategy knows when it is asked where to quote. */
export type QuoteMoment<P, Signal = unknown> = {
  /** The parameters that hold now. */
  readonly parameters: P;
  /** The best bid and ask, in ticks. */
  readonly bid: Ticks;
  readonly ask: Ticks;
  /** The middle between them, in ticks; it may be half a tick. */
  readonly mid: number;
  /** The pair: position, orders, history, rules. */
  readonly market: MarketContext;
  /** What `requote` has emitted last, such as a volatility; undefined before that. */
  readonly signal: Signal | undefined;
  /** Everything else: funds, time, random numbers. */
  readonly context: Context<P, undefined>;
};

/** Where and when to quote: what {@link quoteStrategy} and {@link quoting} have in common. */
export type QuotingOptions<P, Signal = unknown> = {
  /**
   * Returns by how many ticks all prices move, up if positive: so that the strategy buys back what
   * it has sold too much of, and the other way round.
   */
  readonly lean?: (position: Position, moment: QuoteMoment<P, Signal>) => number;
  /**
   * Quotes anew when it emits, too: `(market) => market.top$` at each change of the best prices.
   * Otherwise that happens after `refresh`, each fill, and a third rejection in a row. What it
   * emits is the `signal` of the moment.
   */
  readonly requote?: (market: MarketContext, context: Context<P, undefined>) => Observable<Signal>;
  /**
   * Returns where to quote; called when both sides of the book have orders. Undefined quotes
   * nothing: the orders of the last quote are cancelled.
   */
  readonly quote: (moment: QuoteMoment<P, Signal>) => Quote | undefined;
};

/** A strategy that quotes, as {@link quoteStrategy} takes it. */
export type QuoteOptions<
  Types extends ParameterTypes,
  P = QuoteParameters<Types>,
  Signal = unknown,
> = QuotingOptions<P, Signal> & {
  /** See `Strategy.name`. */
  readonly name: string;
  /**
   * The strategy's own parameters. Beside them it has `size`, the volume of each level; `refresh`,
   * the longest time between two updates (15s); and `tolerance`, how far an order may be from its
   * wanted price before it moves, as a share of the mid (2bps). One of the same name replaces it.
   */
  readonly parameters: Types;
  /** How many pairs it only watches, `context.watched`; 0 unless given. */
  readonly watches?: number;
  /** Returns what is wrong with parameters that do not fit together, by name. */
  readonly check?: (parameters: P) => ParameterProblems<P>;
  /** Returns the distance of the quotes from the mid, as a share of it: see `Quoting`. */
  readonly halfSpread?: (parameters: P) => number;
  /** How many levels a side has at most; 1 unless given. */
  readonly levels?: (parameters: P) => number;
};

/**
 * Returns a strategy that keeps post-only orders where `quote` wants them. A level on the side that
 * closes a position takes what there is room for; any other is quoted in full or not at all. Throws
 * {@link ConfigError} for an invalid option or name, as `defineStrategy` does.
 */
export function quoteStrategy<const Types extends ParameterTypes, Signal = unknown>(
  options: QuoteOptions<Types, QuoteParameters<Types>, Signal>,
): Strategy<QuoteParameters<Types>, undefined> {
  type P = QuoteParameters<Types>;
  // Every strategy that quotes has them; TypeScript cannot see it while `Types` is open.
  const own = (parameters: P) => parameters as unknown as OwnValues;
  checkOptions('quoteStrategy', options, {
    required: ['quote'],
    plain: ['name', 'parameters', 'watches'],
    functions: ['quote', 'check', 'halfSpread', 'levels', 'lean', 'requote'],
    others: [],
  });
  const { halfSpread, levels = () => 1 } = options;
  return defineStrategy<P>({
    name: options.name,
    parameters: schemaOf<P>(ownParameters, ownKinds, options),
    pairs: 1,
    watches: options.watches ?? 0,
    ...(halfSpread === undefined
      ? {}
      : {
          quoting: (parameters) => {
            const { refresh: refreshMs, tolerance } = own(parameters);
            return { halfSpread: halfSpread(parameters), refreshMs, tolerance };
          },
        }),
    needs: (parameters) => ({
      sides: ['BID', 'ASK'],
      timeInForce: ['GTC'],
      postOnly: true,
      size: own(parameters).size,
      ordersAtOnce: 2 * levels(parameters),
    }),
    run: intentsOf(options, own),
  });
}

/**
 * Returns what `quoteStrategy` does as a part of a strategy, on its first pair: it keeps post-only
 * orders where `quote` wants them. The parameters `size` (decimal text, the volume of each level),
 * `refresh` (milliseconds) and `tolerance` (a share of the mid) are those that `values` makes of
 * the strategy's parameters; the last two may be left out, for 15 seconds and 2 bps.
 *
 *     context.part('exit', quoting({ values: ({ size }) => ({ size }), quote }))
 */
export function quoting<P, S, Signal = unknown>(
  options: QuotingOptions<P, Signal> & {
    readonly values: (parameters: P) => {
      readonly size: string;
      readonly refresh?: number;
      readonly tolerance?: number;
    };
  },
): (part: Context<P, S>) => Observable<Intent> {
  const { values } = options;
  checkOptions('quoting', options, {
    required: ['values', 'quote'],
    plain: [],
    functions: ['values', 'quote', 'lean', 'requote'],
    others: [],
  });
  const run = intentsOf<P, Signal>(options, (parameters) => ({
    ...{ refresh: 15_000, tolerance: 0.0002 },
    ...values(parameters),
  }));
  return (part) => run(part as unknown as Context<P, undefined>);
}

/** How many different mistakes of a strategy are told. */
const mistakesToldMax = 10;

type OwnValues = ParameterValues<typeof ownParameters>;

function intentsOf<P, Signal>(
  options: QuotingOptions<P, Signal>,
  own: (parameters: P) => OwnValues,
) {
  return (context: Context<P, undefined>): Observable<Intent> => {
    const [market] = context.pairs as readonly [MarketContext];
    orderSizeIn(market, own(context.parameters).size);
    const told = new Set<string>();
    const tell = (mistake: string) => {
      const alike = mistake.replaceAll(/\d+(?:\.\d+)?/gu, '#');
      if (told.has(alike) || told.size >= mistakesToldMax) return;
      told.add(alike);
      context.log(mistake);
    };
    const quoteNow = (signal: Signal | undefined) => {
      const { size, tolerance } = own(context.parameters);
      return quoteOf(options, { context, market, size, tolerance, signal, tell });
    };
    const refresh$ = context.parameters$.pipe(
      startWith(context.parameters),
      map((parameters) => own(parameters).refresh),
      distinctUntilChanged(),
      switchMap((refresh) => context.every(refresh)),
    );
    const requote$ = options.requote?.(market, context) ?? NEVER;
    if (!isObservable(requote$))
      throw new RangeError(`requote must return an Observable, was ${describe(requote$)}`);
    return defer(() => {
      let isQuoting = false;
      let signal: Signal | undefined;
      return merge(
        of('start'),
        refresh$,
        context.parameters$,
        market.fill$,
        market.top$.pipe(filter(() => !isQuoting)),
        market.usable$.pipe(filter((usable) => !usable)),
        rejectedAgain(market.order$),
        requote$.pipe(
          tap((emitted) => {
            signal = emitted;
          }),
        ),
      ).pipe(
        map(() => quoteNow(signal)),
        tap(({ kind }) => {
          isQuoting = kind === 'quote';
        }),
      );
    });
  };
}

/**
 * Emits each order that was rejected after two others in a row at its level: the market has moved,
 * and at its old price the next one would be rejected, too.
 */
function rejectedAgain(order$: Observable<OwnOrder>): Observable<OwnOrder> {
  return defer(() => {
    const inARow = new Map<string | undefined, number>();
    return order$.pipe(
      filter(({ level, state }) => {
        if (state === 'open' || state === 'filled') inARow.delete(level);
        if (state !== 'rejected') return false;
        const count = (inARow.get(level) ?? 0) + 1;
        inARow.set(level, count);
        return count >= 3;
      }),
    );
  });
}

type Asked<P, Signal> = {
  readonly signal: Signal | undefined;
  readonly context: Context<P, undefined>;
  readonly market: MarketContext;
  readonly size: string;
  readonly tolerance: number;
  /** Tells a mistake in what `quote` returned, once. */
  readonly tell: (mistake: string) => void;
};

function quoteOf<P, Signal>(
  options: QuotingOptions<P, Signal>,
  { context, market, size, tolerance, signal, tell }: Asked<P, Signal>,
): Intent {
  const { pair, top } = market;
  if (top === undefined) return { kind: 'idle', pair, reason: 'the book is unusable' };
  const { bid, ask } = top;
  if (bid === undefined || ask === undefined || bid >= ask)
    return { kind: 'idle', pair, reason: 'the book has no bid or no ask' };
  const mid = (bid + ask) / 2;
  const moment = { parameters: context.parameters, bid, ask, mid, market, signal, context };
  const quote = options.quote(moment);
  if (typeof quote?.done === 'string') return { kind: 'done', reason: reasonOf([quote.done]) };
  const lean = options.lean?.(market.position, moment) ?? 0;
  const { orders, reason, mistakes } = ordersOfQuote(quote, { market, bid, ask, lean, size });
  for (const mistake of mistakes) tell(mistake);
  return { kind: 'quote', pair, orders, toleranceTicks: Math.floor(mid * tolerance), reason };
}
