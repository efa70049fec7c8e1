/** One pair that a strategy trades, as the strategy sees it. */
import type { Market, Side } from '../domain/market.ts';
import type { Decimal, Ticks } from '../domain/money.ts';
import { isFinal } from '../domain/order.ts';
import { storedName } from '../domain/part-name.ts';
import type { AccountReads } from './account/account-reads.ts';
import type { Profit, Totals } from './account/own-account.ts';
import { checkChoice, checkKey, checkWhole, refuseArgument } from './argument.ts';
import type { MarketContext } from './contract.ts';
import { isPlainObject } from './json-value.ts';
import {
  viewsOf,
  type WatchedAccess,
  WatchedContext,
  type WatchedParts,
} from './market/watched-context.ts';
import type { OwnOrder, Position } from './own-views.ts';
import { fillsOfPart } from './parts/part-views.ts';
import { type Bound, restOf, roomFor, type SideAmounts, useOf } from './room.ts';

/** The engine's views of one pair for one strategy, with its position and orders. */
export type MarketAccess = WatchedAccess & {
  /** The strategy's position, without pending orders. */
  position(): Position;
  /** The exact position, in the base currency. */
  holding(): Decimal;
  /** Whether the position is not zero but smaller than the market's smallest volume. */
  isDust(): boolean;
  /** The strategy's orders on this pair that are not final. */
  orders(): readonly OwnOrder[];
  /** How much of a currency new orders may use, without pending orders. */
  available(currency: string): Decimal;
  /** What bounds new orders of a side, without pending orders. */
  bounds(side: Side): readonly Bound[];
  /** The price at which a market order of a side counts; undefined while the book is unusable. */
  marketPrice(side: Side): Ticks | undefined;
  readonly account: AccountReads;
};

/** The strategy's orders and position on the pair, including pending orders. */
export type OwnViews = Pick<MarketAccess, 'orders' | 'position'>;

/** What the orders of the current event would use, over all pairs of the strategy. */
export type PendingUse = (side: Side, market: Market) => SideAmounts;

type Parts = WatchedParts & {
  readonly access: MarketAccess;
  /** The part of the strategy that sees the pair; empty for the strategy itself. */
  readonly part: string;
  readonly own: OwnViews;
  readonly pendingUse: PendingUse;
};

/** Returns the context of one pair. */
export function createMarketContext(parts: Parts): MarketContext {
  return Object.freeze(new PairContext(parts));
}

class PairContext extends WatchedContext implements MarketContext {
  static readonly #views = viewsOf<PairContext>({
    get position(): Position {
      return this.#own.position();
    },
    get holding(): Decimal {
      return this.#access.holding();
    },
    get isDust(): boolean {
      return this.#access.isDust();
    },
    get totals(): Totals {
      return this.#access.account.totals();
    },
    get profit(): Profit {
      return this.#access.account.profit();
    },
    get orders(): readonly OwnOrder[] {
      return this.#own.orders();
    },
  });
  readonly order$: MarketContext['order$'];
  readonly fill$: MarketContext['fill$'];
  readonly refusal$: MarketContext['refusal$'];
  readonly filledOf: MarketContext['filledOf'];
  readonly fillsSince: MarketContext['fillsSince'];
  readonly room: MarketContext['room'];
  readonly marketPrice: MarketContext['marketPrice'];
  declare readonly position: Position;
  declare readonly holding: Decimal;
  declare readonly isDust: boolean;
  declare readonly totals: Totals;
  declare readonly profit: Profit;
  declare readonly orders: readonly OwnOrder[];
  readonly #own: OwnViews;
  readonly #access: MarketAccess;

  constructor(parts: Parts) {
    super(parts);
    const { access, part, own, pendingUse, streams, scheduler } = parts;
    const { market } = access;
    this.#access = access;
    this.#own = own;
    this.order$ = streams.order$;
    this.fill$ = streams.fill$;
    this.refusal$ = streams.refusal$;
    this.filledOf = (key) => {
      checkKey(['market.filledOf', 'key'], key);
      return access.account.traded(storedName(part, key));
    };
    this.fillsSince = (sinceMs) =>
      fillsOfPart(access.account.fills.since(sinceMs, scheduler.now()), part);
    this.room = (side, price, size, others = {}) => {
      checkChoice(['market.room', 'side'], side, 'BID', 'ASK');
      checkWhole(['market.room', 'price'], price, 'ticks');
      checkWhole(['market.room', 'size'], size, 'lots');
      if (!isPlainObject(others))
        refuseArgument(['market.room', 'others'], 'an object with replaced or beside', others);
      const { replaced = [], beside = [] } = others;
      checkReplaced(side, replaced);
      checkBeside(beside);
      const freed = useOf(replaced.map(restOf), market);
      const used = [pendingUse(side, market), useOf(beside, market)];
      return roomFor({ side, price, size, freed, used }, market, access.bounds(side));
    };
    this.marketPrice = (side) => {
      checkChoice(['market.marketPrice', 'side'], side, 'BID', 'ASK');
      return access.marketPrice(side);
    };
    Object.defineProperties(this, PairContext.#views);
  }
}

/** Checks that the orders whose place another one takes are open, and of its side. */
function checkReplaced(side: Side, replaced: readonly OwnOrder[]): void {
  const argument = ['market.room', 'replaced'] as const;
  if (!Array.isArray(replaced)) refuseArgument(argument, 'a list of own orders', replaced);
  for (const { terms, state } of replaced)
    if (terms?.side !== side || isFinal(state))
      refuseArgument(argument, `open orders of the side ${side}`, { side: terms?.side, state });
}

/** Checks the orders that are placed together with another one. */
function checkBeside(beside: NonNullable<Parameters<MarketContext['room']>[3]>['beside']): void {
  const argument = ['market.room', 'beside'] as const;
  if (!Array.isArray(beside)) refuseArgument(argument, 'a list of prices and volumes', beside);
  for (const one of beside) {
    checkWhole(argument, one?.price, 'ticks');
    checkWhole(argument, one?.volume, 'lots');
  }
}
