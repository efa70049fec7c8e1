/**
 * The average cost of a position, updated by each fill. A fee taken in the base currency reduces
 * the position and leaves the average at the price paid per base traded.
 */
import { quotientOfAmounts } from '../domain/amount-decimal.ts';
import type { Decimal } from '../domain/money.ts';

/** Amounts, positive for a purchase. `base` is `traded` minus the fees taken in base. */
type Flows = { readonly traded: bigint; readonly base: bigint; readonly counter: bigint };

export class AverageCost {
  #held: bigint;
  #paid: bigint;
  /** Computed when it is read, and kept, since it may be read at every event. */
  #price: Decimal | undefined;

  constructor(held = 0n, paid = 0n) {
    this.#held = held;
    this.#paid = paid;
  }

  /** The position and its cost; both negative for a short position. */
  get sums(): { readonly held: bigint; readonly paid: bigint } {
    return { held: this.#held, paid: this.#paid };
  }

  add({ traded, base, counter }: Flows): void {
    if (traded === 0n) return;
    this.#price = undefined;
    const before = this.#held;
    this.#held += base;
    const isSmaller = before !== 0n && before > 0n !== base > 0n;
    const isReversed = isSmaller && before > 0n !== this.#held > 0n;
    // The part of a fill that exceeds the position opens a new one, at the price of this fill.
    if (isReversed) this.#paid = (-counter * this.#held) / traded;
    else if (isSmaller) this.#paid = (this.#paid * this.#held) / before;
    else this.#paid += (-counter * base) / traded;
  }

  /** Returns what the position cost; undefined if `held` is not the position. */
  costOf(held: bigint): bigint | undefined {
    return held === this.#held ? this.#paid : undefined;
  }

  /** Returns the cost in counter per base; undefined if `held` is zero or not the position. */
  priceOf(held: bigint): Decimal | undefined {
    if (held === 0n || this.costOf(held) === undefined) return undefined;
    this.#price ??= quotientOfAmounts(this.#paid, held);
    return this.#price;
  }
}
