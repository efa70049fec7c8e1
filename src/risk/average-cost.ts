/**
 * What a position cost on average, as its fills come. A fee that was taken in the base currency
 * makes the position smaller, and leaves the average at what was paid per base that was traded.
 */
import { Decimal } from '../domain/money.ts';

/** In atoms, signed: bought is positive. `base` is what was `traded` less the fees taken in it. */
type Moved = { readonly traded: bigint; readonly base: bigint; readonly counter: bigint };

export class AverageCost {
  #held: bigint;
  #paid: bigint;
  /** Worked out when somebody asks, which may be at every event. */
  #price: Decimal | undefined;

  constructor(held = 0n, paid = 0n) {
    this.#held = held;
    this.#paid = paid;
  }

  /** What the position is, and what it cost; negative for what was sold short. */
  get sums(): { readonly held: bigint; readonly paid: bigint } {
    return { held: this.#held, paid: this.#paid };
  }

  add({ traded, base, counter }: Moved): void {
    if (traded === 0n) return;
    this.#price = undefined;
    const before = this.#held;
    this.#held += base;
    const isSmaller = before !== 0n && before > 0n !== base > 0n;
    const isBeyond = isSmaller && before > 0n !== this.#held > 0n;
    // What goes beyond a position opens a new one, at the price of this fill.
    if (isBeyond) this.#paid = (-counter * this.#held) / traded;
    else if (isSmaller) this.#paid = (this.#paid * this.#held) / before;
    else this.#paid += (-counter * base) / traded;
  }

  /** Counter per base of a position of `held`; undefined if it is none, or not this one. */
  priceOf(held: bigint): Decimal | undefined {
    if (held === 0n || held !== this.#held) return undefined;
    this.#price ??= new Decimal(String(this.#paid)).div(String(held));
    return this.#price;
  }
}
