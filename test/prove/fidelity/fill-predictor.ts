/**
 * The interface of a fill model under test: the events at one shadow order's price level that it
 * receives, and the fills that it predicts.
 *
 * A model never sees the shadow order's own trades or its end, only the other orders.
 */
import type { Side } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { addLots, minLots, noLots, subtractLots } from '../../../src/domain/ticks-and-lots.ts';

/** An order of history at the shadow order's price. */
export type LevelOrder = { readonly id: string; readonly volume: Lots };

/** A real order that is given to a model as if it were ours. */
export type ShadowOrderTerms = {
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly createdMicros: number;
  /** The orders that rested at the price before it, in queue order. */
  readonly ahead: readonly LevelOrder[];
};

/** What happened to the other orders, at the shadow order's price or through it. */
export type LevelEvent = { readonly atMicros: number } & (
  | ({ readonly kind: 'joined' } & LevelOrder)
  /** It left without a trade; `volume` is what remained of it. */
  | ({ readonly kind: 'left' } & LevelOrder)
  /** It kept its place; `volume` is its new volume, `less` the reduction. */
  | ({ readonly kind: 'shrunk'; readonly less: Lots } & LevelOrder)
  /**
   * An aggressor, reconstructed from all its trades: the volume that it took at the price, and
   * the volume that it took at worse prices, through this one.
   */
  | { readonly kind: 'traded'; readonly atPrice: Lots; readonly through: Lots }
  /** An order was added on the other side at a price that crosses the shadow order's. */
  | ({ readonly kind: 'met'; readonly price: Ticks } & LevelOrder)
);

export interface FillPredictor {
  readonly progress: FillProgress;
  apply(event: LevelEvent): void;
}

/** The filled volume of a shadow order, and the time of the last fill. */
export class FillProgress {
  readonly #volume: Lots;
  #filled: Lots = noLots;
  #filledMicros: number | undefined;

  constructor(volume: Lots) {
    this.#volume = volume;
  }

  get filled(): Lots {
    return this.#filled;
  }

  get filledMicros(): number | undefined {
    return this.#filledMicros;
  }

  get isFull(): boolean {
    return this.#filled === this.#volume;
  }

  /** Fills `volume` lots, or the remaining volume if that is less. */
  fill(volume: Lots, atMicros: number): void {
    const taken = minLots(volume, subtractLots(this.#volume, this.#filled));
    if (taken <= 0) return;
    this.#filled = addLots(this.#filled, taken);
    this.#filledMicros = atMicros;
  }
}
