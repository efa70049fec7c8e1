/** Buys at the levels of a grid, and sells each purchase one level higher. */

import { z } from 'zod';
import { Decimal, type Lots, type Ticks } from '../../domain/money.ts';
import { lotsOf, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { MarketContext } from '../contract.ts';
import type { ChildOrders, WantedOrder } from './child-orders.ts';
import {
  amountText,
  countFrom,
  optionsOf,
  type PlaceOptions,
  placeTypes,
  type TimeOptions,
  timeTypes,
} from './executor-options.ts';
import { type Desk, type ExecutorPart, executor, type Plan, type Wish } from './executor-part.ts';
import { volumeIn } from './work.ts';

/** A grid of cells between two prices. */
export type GridOptions = PlaceOptions &
  TimeOptions & {
    /** The lowest and the highest price, in the counter currency, as decimal text. */
    readonly lower: string;
    readonly upper: string;
    /** How many cells it has, 1 to 50: each buys at its lower and sells at its upper price. */
    readonly cells: number;
    /** What each cell buys, in the base currency, as decimal text. */
    readonly size: string;
    /** Equal distances (`arithmetic`), or equal ratios (`geometric`, unless given). */
    readonly spacing?: 'arithmetic' | 'geometric';
    /** How many orders it has at once, those nearest to the market; all unless given. */
    readonly open?: number;
  };

const cellsMax = 50;
const types = {
  ...{ ...placeTypes, ...timeTypes, lower: amountText, upper: amountText, size: amountText },
  cells: countFrom(1, cellsMax),
  spacing: z
    .enum(['arithmetic', 'geometric'])
    .meta({ allowed: 'arithmetic or geometric' })
    .default('geometric'),
  open: countFrom(1, cellsMax).optional(),
};

type Cell = {
  readonly buy: string;
  readonly sell: string;
  readonly low: Ticks;
  readonly high: Ticks;
};

type Wanted = { readonly line: string; readonly order: WantedOrder; readonly cell: Cell };

const maxOfZero = (amount: Decimal): Decimal => Decimal.max(amount, 0);

/**
 * Returns an executor that buys at the levels of a grid below the market, and sells what each level
 * has bought one level higher, again and again. It only sells what it has bought, so it can start
 * with the counter currency alone. Throws {@link RangeError} for an invalid option.
 */
export function grid(options: GridOptions): ExecutorPart {
  const own = optionsOf('grid', types, options);
  const { lower, upper, cells, size, spacing, pair } = own;
  const about = `${cells} cells of ${size} from ${lower} to ${upper} (${spacing})`;
  return executor({ name: 'grid', about, pair }, (desk) => new GridPlan(desk, own));
}

/** With what the defaults add. */
type Options = z.output<z.ZodObject<typeof types>>;

class GridPlan implements Plan {
  readonly #market: MarketContext;
  readonly #orders: ChildOrders;
  readonly #own: Options;
  readonly #cells: readonly Cell[];
  /** What each cell buys. */
  readonly #whole: Lots;

  constructor({ market, orders }: Desk, own: Options) {
    this.#market = market;
    this.#orders = orders;
    this.#own = own;
    this.#whole = volumeIn(market, 'grid: size', own.size);
    this.#cells = cellsOf(market, own);
    const { volumeMin } = market.rules;
    const lowestFee = Math.max(0, market.rules.makerFee);
    if (Math.floor(this.#whole * (1 - lowestFee)) < volumeMin)
      throw new RangeError(
        `grid: size must be large enough that ${market.amountOf(volumeMin)} ${market.base} can be ` +
          `sold after a fee of ${lowestFee * 100} %, was ${own.size}`,
      );
  }

  progress(): Readonly<Record<string, Decimal>> {
    return {
      held: this.#amount((cell) => this.#heldBy(cell)),
      sold: this.#amount(({ sell }) => this.#orders.filled(sell)),
    };
  }

  next(): Wish {
    const { duration, cells, open = cells } = this.#own;
    if (this.#orders.hasLasted(duration)) return this.#end();
    const { bid, ask } = this.#market.top ?? {};
    if (bid === undefined || ask === undefined) return { why: 'the book is unusable' };
    // What rests stays until another order is nearer by half a cell.
    const distance = ({ line, order: { price }, cell }: Wanted): number => {
      const resting = this.#orders.orderOf(line);
      const isKept = resting !== undefined && !resting.cancelling;
      return Math.abs(price - (bid + ask) / 2) - (isKept ? (cell.high - cell.low) / 2 : 0);
    };
    const all = this.#cells.flatMap((cell) => this.#wantedBy(cell, bid, ask) ?? []);
    // Where the market has passed a level, its bid would trade with what is for sale there.
    const sells = all.filter(({ order }) => order.side === 'ASK').map(({ order }) => order.price);
    const lowest = Math.min(...sells);
    const wanted = all
      .filter(({ order: { side, price } }) => side === 'ASK' || price < lowest)
      .sort((a, b) => distance(a) - distance(b))
      .slice(0, open);
    const isOutside = ask <= (this.#cells[0]?.low ?? 0) || bid >= (this.#cells.at(-1)?.high ?? 0);
    return {
      orders: Object.fromEntries(wanted.map(({ line, order }) => [line, order])),
      why: isOutside ? 'the market is outside the grid' : 'keeps the grid',
    };
  }

  #end(): Wish {
    const [bought, sold] = [
      this.#amount(({ buy }) => this.#orders.filled(buy)),
      this.#amount(({ sell }) => this.#orders.filled(sell)),
    ];
    const result = `bought ${bought} and sold ${sold} ${this.#market.base}`;
    return { isDone: true, why: `${result}: its time is over` };
  }

  /** A cell sells when it has bought its size, or when the market has passed it before that. */
  #wantedBy(cell: Cell, bid: Ticks, ask: Ticks): Wanted | undefined {
    const [orders, { volumeMin }] = [this.#orders, this.#market.rules];
    const held = this.#heldBy(cell);
    const missing = this.#missingOf(cell);
    const isSelling =
      held >= volumeMin &&
      (missing < volumeMin || bid >= cell.high || orders.orderOf(cell.sell) !== undefined);
    // One that rests already stays: the market has passed it, or is about to.
    const resting = orders.orderOf(cell.sell)?.terms.price ?? Number.MAX_SAFE_INTEGER;
    const sellsAt = ticksOf(Math.min(resting, Math.max(cell.high, bid + 1)));
    const sell = { side: 'ASK', price: sellsAt, volume: held, reduceOnly: true } as const;
    if (isSelling) return { line: cell.sell, order: { ...sell, by: 'resting' }, cell };
    if (cell.low >= ask || missing < volumeMin) return undefined;
    const buy = { side: 'BID', price: cell.low, volume: missing, by: 'resting' } as const;
    return { line: cell.buy, order: buy, cell };
  }

  /** What a cell has, after the fees in the base currency. */
  #netOf({ buy, sell }: Cell): Decimal {
    return this.#orders.net(buy, 'BID').plus(this.#orders.net(sell, 'ASK'));
  }

  #heldBy(cell: Cell): Lots {
    return this.#market.nearestLot(maxOfZero(this.#netOf(cell)), 'down');
  }

  /** What a cell has still to buy, before fees. */
  #missingOf(cell: Cell): Lots {
    const market = this.#market;
    const { volume, fee } = this.#orders.total(cell.buy);
    const bought = market.amountOf(volume);
    if (bought.isZero()) return this.#whole;
    const held = this.#netOf(cell).times(bought).div(bought.minus(fee));
    return market.nearestLot(maxOfZero(market.amountOf(this.#whole).minus(held)), 'down');
  }

  /** The sum over all cells. */
  #amount(lots: (cell: Cell) => Lots): Decimal {
    return this.#market.amountOf(lotsOf(this.#cells.reduce((sum, cell) => sum + lots(cell), 0)));
  }
}

/** Returns the cells, lowest first; throws RangeError if two prices of the grid are equal. */
function cellsOf(
  market: MarketContext,
  {
    lower,
    upper,
    cells,
    spacing,
  }: Required<Pick<GridOptions, 'lower' | 'upper' | 'cells' | 'spacing'>>,
): readonly Cell[] {
  const [from, to] = [market.ticks(lower), market.ticks(upper)];
  if (from >= to)
    throw new RangeError(`grid: lower must be below upper, was lower ${lower} and upper ${upper}`);
  const levels = Array.from({ length: cells + 1 }, (_, at) => {
    const part = at / cells;
    const price = spacing === 'arithmetic' ? from + (to - from) * part : from * (to / from) ** part;
    return market.round(Math.min(Math.max(Math.round(price), from), to), 'down');
  });
  return levels.slice(1).map((high, at): Cell => {
    const low = levels[at] as Ticks;
    if (low < high) return { buy: `buy${at + 1}`, sell: `sell${at + 1}`, low, high };
    throw new RangeError(
      `grid: cells must be fewer, since two prices are both ${market.priceText(low)}, was ${cells}`,
    );
  });
}
