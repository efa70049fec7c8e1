/**
 * What a model of fills is told of one ghost's price level, and what it answers.
 *
 * A model never hears of the ghost's own order, its trades or its end: only of the others.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { addLots, minLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';

/** An order of history at the ghost's price. */
export type LevelOrder = { readonly id: string; readonly volume: Lots };

/** A real order that a model is given as if it were ours. */
export type ShadowOrderTerms = {
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly createdMicros: number;
  /** Who rested at the price before it, first in the queue first. */
  readonly ahead: readonly LevelOrder[];
};

/** What happened to the others, at or through the ghost's price. */
export type LevelEvent = { readonly atMicros: number } & (
  | ({ readonly kind: 'joined' } & LevelOrder)
  /** Without a trade, with what was left of it. */
  | ({ readonly kind: 'left' } & LevelOrder)
  /** It kept its place; `volume` is what it has now, `less` by how much it shrank. */
  | ({ readonly kind: 'shrunk'; readonly less: Lots } & LevelOrder)
  /**
   * An aggressor, rebuilt from all its trades: what it took at the price, and at worse prices,
   * which went through it.
   */
  | { readonly kind: 'traded'; readonly atPrice: Lots; readonly through: Lots }
  /** An order came to the other side at a price that meets the ghost's. */
  | ({ readonly kind: 'met'; readonly price: Ticks } & LevelOrder)
);

export interface FillPredictor {
  readonly progress: FillProgress;
  apply(event: LevelEvent): void;
}

/** How much of a ghost is filled, and when the last of it was. */
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

  /** Fills `volume` lots, or what is left of the ghost. */
  fill(volume: Lots, atMicros: number): void {
    const taken = minLots(volume, subtractLots(this.#volume, this.#filled));
    if (taken <= 0) return;
    this.#filled = addLots(this.#filled, taken);
    this.#filledMicros = atMicros;
  }
}
