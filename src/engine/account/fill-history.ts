/**
 * The booked fills of the last day and the totals of the orders by key, of each strategy. A restart
 * has them from the store's fills and orders, which its journal begins with.
 */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { parseLots, parseTicks } from '../../domain/market.ts';
import type { FillRow, Restored } from '../../domain/records.ts';
import { noLots } from '../../domain/ticks-and-lots.ts';
import { sumsOf } from '../../execution/orders/sums.ts';
import type { TrackedOrder } from '../../execution/orders/tracked-order.ts';
import { PlacedOrders } from '../../strategy/account/placed-orders.ts';
import { RecentFills } from '../../strategy/account/recent-fills.ts';
import type { Fill } from '../../strategy/own-views.ts';
import { strategyFillOf } from '../strategy-order.ts';

type RestoredRows = Pick<Restored, 'fills' | 'usedKeys' | 'earlierTraded'>;

export class FillHistory {
  /** By strategy, then by pair. */
  readonly #fills = new Map<string, ReadonlyMap<string, RecentFills>>();
  /** By strategy. */
  readonly #placed = new Map<string, PlacedOrders>();

  constructor(strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[]) {
    for (const { id, pairs } of strategies) {
      this.#fills.set(id, new Map(pairs.map((pair) => [pair, new RecentFills()])));
      this.#placed.set(id, new PlacedOrders());
    }
  }

  /** Undefined for a strategy or a pair that is no longer in the settings. */
  fillsOf(strategyId: string, pair: string): RecentFills | undefined {
    return this.#fills.get(strategyId)?.get(pair);
  }

  placedOf(strategyId: string): PlacedOrders | undefined {
    return this.#placed.get(strategyId);
  }

  /** Adds a new order. */
  addOrder({ strategyId, key, level }: TrackedOrder): void {
    if (level === undefined) this.#placed.get(strategyId)?.add(key);
  }

  /** Adds a booked fill, which `order` counts already. */
  addFill(order: TrackedOrder, fill: Fill, sequence: string, nowMs: number): void {
    this.fillsOf(order.strategyId, order.pair)?.add(fill, sequence, nowMs);
    this.#noteTraded(order);
  }

  /** Restores what the store has; `orders` are those in memory, with the sums of their fills. */
  restore(
    { fills, usedKeys, earlierTraded = [] }: RestoredRows,
    orders: ReadonlyMap<number, TrackedOrder>,
    nowMs: number,
  ): void {
    // Keys come in the order of their orders.
    for (const { strategyId, key } of usedKeys) this.#placed.get(strategyId)?.add(key);
    for (const { strategyId, pair, key, ...row } of earlierTraded)
      this.#placed.get(strategyId)?.note(key, pair, sumsOf(row));
    for (const order of orders.values()) this.#noteTraded(order);
    for (const row of fills) this.#restoreFill(row, orders.get(row.intentId), nowMs);
  }

  #noteTraded({ strategyId, pair, key, level, booked }: TrackedOrder): void {
    if (level === undefined && booked.base > 0n)
      this.#placed.get(strategyId)?.note(key, pair, booked);
  }

  #restoreFill(row: FillRow, order: TrackedOrder | undefined, nowMs: number): void {
    const recent = this.fillsOf(row.strategyId, row.pair);
    // An order is missing if the market has other scales since, in which nobody can say its price.
    if (order === undefined) recent?.lose(row.tradedMs);
    else recent?.add(fillOf(row, order), row.sequence, nowMs);
  }
}

/** Returns a stored fill as its strategy saw it. */
function fillOf(row: FillRow, order: TrackedOrder): Fill {
  const { market, terms } = order;
  const { feeBase, feeCounter } = sumsOf(row);
  return strategyFillOf(order, {
    price: parseTicks(row.price, market) ?? terms.price,
    volume: parseLots(row.volume, market) ?? noLots,
    ...{ feeBase, feeCounter, atMs: row.tradedMs, booked: true },
  });
}
