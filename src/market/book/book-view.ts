/** A book as read by those who only need its prices and volumes, not the orders behind them. */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';

export interface BookView {
  /** A counter that changes whenever the best price of a side, or its volume, may have changed. */
  readonly topChanges: number;
  /** Returns the best price of a side; undefined if the side is empty. */
  bestPrice(side: Side): Ticks | undefined;
  /** Returns the volume at the best price of a side, 0 if the side is empty. */
  bestVolume(side: Side): Lots;
  volumeAt(side: Side, price: Ticks): Lots;
  /** Returns the next worse price of a side that has orders, or undefined. */
  priceAfter(side: Side, price: Ticks): Ticks | undefined;
  /** Returns whether the best bid is at or above the best ask. */
  isCrossed(): boolean;
}
