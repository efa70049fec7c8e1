/**
 * A strategy that says where it would like to quote. Prices may be fractions of a tick; they are
 * rounded away from the market, and never cross it. Sizes are what there is room for.
 *
 * Invariants: nothing but the public contract is used; a wish that makes no sense withdraws the
 * side that it concerns, and the reason says so.
 */
import { defer, filter, map, merge, type Observable, of, tap } from 'rxjs';
import type { Intent, QuotedOrder } from '../../domain/intent.ts';
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { isFinal } from '../../domain/order.ts';
import { type Context, defineStrategy, type MarketContext, type Strategy } from '../contract.ts';
import { describe } from '../json-value.ts';
import type { Position } from '../own-views.ts';
import { param } from '../parameters/param.ts';
import { amount, share, span } from '../parameters/parameter-types.ts';
import {
  orderSizeIn,
  type ParameterProblems,
  type ParameterTypes,
  type ParameterValues,
  schemaOf,
} from './shape-parameters.ts';

const ownParameters = {
  size: param(amount, { description: 'The volume of each level, in the base currency.' }),
  refresh: param(span, {
    description: 'The longest time between two updates of the quotes.',
    default: '15s',
  }),
  tolerance: param(share, {
    description: 'How far an order may be from its wanted price before it moves, of the mid.',
    ...{ from: '0bps', to: '99.99%', default: '2bps' },
  }),
};

/** The parameters of a strategy that quotes: its own, and those that every one has. */
export type QuoteParameters<Types extends ParameterTypes> = ParameterValues<Types> &
  ParameterValues<Omit<typeof ownParameters, keyof Types>>;

/** What a strategy knows when it is asked where to quote. */
export type QuoteMoment<P> = {
  /** The parameters from the settings. */
  readonly parameters: P;
  /** The best bid and ask, in ticks. */
  readonly bid: Ticks;
  readonly ask: Ticks;
  /** The middle between them, in ticks; it may be half a tick. */
  readonly mid: number;
  /** The pair: position, orders, history, rules. */
  readonly market: MarketContext;
  /** Everything else: funds, time, random numbers. */
  readonly context: Context<P, undefined>;
};

/** A price in ticks, which may be a fraction, or a price with a size of its own. */
export type QuoteLevel =
  | number
  | {
      readonly price: number;
      /** In the base currency, as decimal text; the parameter `size` unless given. */
      readonly size?: string;
    };

/** Where a strategy would like to quote. A side that is left out is not quoted. */
export type Quote = {
  /** One level, or several, the nearest to the market first. */
  readonly bid?: QuoteLevel | readonly QuoteLevel[];
  readonly ask?: QuoteLevel | readonly QuoteLevel[];
  /** Why, for people; by default the best prices. */
  readonly why?: string;
};

/** A strategy that quotes, as {@link quoteStrategy} takes it. */
export type QuoteOptions<Types extends ParameterTypes, P = QuoteParameters<Types>> = {
  /** See `Strategy.name`. */
  readonly name: string;
  /**
   * The strategy's own parameters. Beside them it has `size`, the volume of each level; `refresh`,
   * the longest time between two updates (15s); and `tolerance`, how far an order may be from its
   * wanted price before it moves, as a share of the mid (2bps). One of the same name replaces it.
   */
  readonly parameters: Types;
  /** Returns what is wrong with parameters that do not fit together, by name. */
  readonly check?: (parameters: P) => ParameterProblems<P>;
  /** Returns the distance of the quotes from the mid, as a share of it: see `Quoting`. */
  readonly halfSpread?: (parameters: P) => number;
  /** How many levels a side has at most; 1 unless given. */
  readonly levels?: (parameters: P) => number;
  /**
   * Returns by how many ticks all prices move, up if positive: so that the strategy buys back what
   * it has sold too much of, and the other way round.
   */
  readonly lean?: (position: Position, moment: QuoteMoment<P>) => number;
  /** Quotes anew when it emits, too; by default after `refresh` and each fill. */
  readonly requote?: (market: MarketContext, context: Context<P, undefined>) => Observable<unknown>;
  /** Returns where to quote; called when both sides of the book have orders. */
  readonly quote: (moment: QuoteMoment<P>) => Quote | undefined;
};

/**
 * Returns a strategy that keeps post-only orders where `quote` wants them. A level that opens or
 * enlarges a position is quoted in full or not at all; one that closes a position takes what there
 * is room for. Throws {@link ConfigError} for an invalid name, as `defineStrategy` does.
 */
export function quoteStrategy<const Types extends ParameterTypes>(
  options: QuoteOptions<Types>,
): Strategy<QuoteParameters<Types>, undefined> {
  type P = QuoteParameters<Types>;
  // Every strategy that quotes has them; TypeScript cannot see it while `Types` is open.
  const own = (parameters: P) => parameters as unknown as ParameterValues<typeof ownParameters>;
  const { halfSpread, levels = () => 1 } = options;
  return defineStrategy<P>({
    name: options.name,
    parameters: schemaOf<P>(ownParameters, options.parameters, options.check),
    pairs: 1,
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
    run(context) {
      const [market] = context.pairs as readonly [MarketContext];
      const { parameters } = context;
      const { size, refresh, tolerance } = own(parameters);
      orderSizeIn(market, size);
      const asked = { options, context, market, size, tolerance };
      return defer(() => {
        let isQuoting = false;
        return merge(
          of('start'),
          context.every(refresh),
          market.fill$,
          market.top$.pipe(filter(() => !isQuoting)),
          market.usable$.pipe(filter((usable) => !usable)),
          ...(options.requote === undefined ? [] : [options.requote(market, context)]),
        ).pipe(
          map(() => quoteNow(asked)),
          tap(({ kind }) => {
            isQuoting = kind === 'quote';
          }),
        );
      });
    },
  });
}

type Asked<Types extends ParameterTypes> = {
  readonly options: QuoteOptions<Types>;
  readonly context: Context<QuoteParameters<Types>, undefined>;
  readonly market: MarketContext;
  readonly size: string;
  readonly tolerance: number;
};

function quoteNow<Types extends ParameterTypes>(asked: Asked<Types>): Intent {
  const { options, context, market, size, tolerance } = asked;
  const { pair, top } = market;
  const { parameters } = context;
  if (top === undefined) return { kind: 'idle', pair, reason: 'the book is unusable' };
  const { bid, ask } = top;
  if (bid === undefined || ask === undefined || bid >= ask)
    return { kind: 'idle', pair, reason: 'the book has no bid or no ask' };
  const mid = (bid + ask) / 2;
  const moment = { parameters, bid, ask, mid, market, context };
  const quote = options.quote(moment);
  const lean = options.lean?.(market.position, moment) ?? 0;
  const around = `around ${market.priceText(bid)} / ${market.priceText(ask)}`;
  const reasons = [quote === undefined ? 'wants no quote' : (quote.why ?? around)];
  const orders = (['BID', 'ASK'] as const).flatMap((side) => {
    const wanted = side === 'BID' ? quote?.bid : quote?.ask;
    if (wanted === undefined) return [];
    const levels = Array.isArray(wanted) ? wanted : [wanted];
    return ordersOf({ side, levels, lean, size, market, bid, ask }, reasons);
  });
  const reason = reasons.join('; ');
  const [highestBid, lowestAsk] = [highestOf(orders, 'BID'), -highestOf(orders, 'ASK')];
  if (highestBid >= lowestAsk) {
    const crossing = `${market.priceText(highestBid as Ticks)} is not below the ask of ${market.priceText(lowestAsk as Ticks)}`;
    return {
      kind: 'quote',
      pair,
      orders: [],
      reason: `${reason}; no quote: the bid of ${crossing}`,
    };
  }
  return { kind: 'quote', pair, orders, toleranceTicks: Math.floor(mid * tolerance), reason };
}

/** Returns the best price of a side, negated for asks; -Infinity without orders. */
function highestOf(orders: readonly QuotedOrder[], of: Side): number {
  const prices = orders.filter(({ side }) => side === of).map(({ price }) => price);
  return Math.max(...prices.map((price) => (of === 'BID' ? price : -price)));
}

type WantedSide = {
  readonly side: Side;
  readonly levels: readonly QuoteLevel[];
  readonly lean: number;
  readonly size: string;
  readonly market: MarketContext;
  readonly bid: Ticks;
  readonly ask: Ticks;
};

/** Returns the orders of one side, and adds to `reasons` why there are not more. */
function ordersOf(wanted: WantedSide, reasons: string[]): QuotedOrder[] {
  const { side, levels, market } = wanted;
  const name = side === 'BID' ? 'bid' : 'ask';
  const isClosing = side === 'ASK' ? market.position.base > 0 : market.position.base < 0;
  const replaced = market.orders.filter(
    ({ terms, state, level }) => terms.side === side && level !== undefined && !isFinal(state),
  );
  const orders: QuotedOrder[] = [];
  for (const [index, one] of levels.entries()) {
    const level = index === 0 ? name : `${name}.${index + 1}`;
    const found = orderOf(one, wanted);
    if (typeof found === 'string') {
      reasons.push(`no ${level}: ${found}`);
      continue;
    }
    const { price, size } = found;
    const { volume, why } = market.room(side, price, size, { replaced, beside: orders });
    if (volume === size || (isClosing && volume > 0))
      orders.push({ level, side, price, volume, postOnly: true });
    else reasons.push(`no ${level}: ${why}`);
  }
  return orders;
}

/** Returns the price and the volume of a level, or why it has none. */
function orderOf(
  level: QuoteLevel,
  { side, lean, size: usual, market, bid, ask }: WantedSide,
): { readonly price: Ticks; readonly size: Lots } | string {
  const { price: wanted, size: sizeText = usual } =
    typeof level === 'object' && level !== null ? level : { price: level };
  const price = wanted + lean;
  if (typeof wanted !== 'number' || !Number.isFinite(price))
    return `the wanted price is ${describe(wanted)}${lean === 0 ? '' : `, moved by ${describe(lean)}`}`;
  let size: Lots;
  try {
    size = market.lots(sizeText);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error.message;
  }
  if (size <= 0) return `the wanted size is ${describe(sizeText)}`;
  // Beyond the market's range `room` refuses it, and a huge number is no price at all.
  const near =
    side === 'BID'
      ? Math.min(price, ask - 1)
      : Math.min(Math.max(price, bid + 1), market.rules.priceMax + 1);
  const most = Math.max(near, 0);
  return { price: market.round(most, side === 'BID' ? 'down' : 'up'), size };
}
