/**
 * A set of small integers that finds its next member in a few steps, however far away it is.
 *
 *     layer 2            1                     one bit says: something in this word below
 *     layer 1        1   .   1   .
 *     layer 0      ..1.  .... 1..1  ....       one bit per place
 *
 * Invariant: a bit of a higher layer is set exactly if the word below it is not zero.
 */
export class PlaceSet {
  readonly #layers: Int32Array[] = [];

  /** Holds places from 0 to `size - 1`. */
  constructor(size: number) {
    let words = size;
    do {
      words = Math.ceil(words / 32);
      this.#layers.push(new Int32Array(words));
    } while (words > 1);
  }

  add(place: number): void {
    let index = place;
    for (let height = 0; height < this.#layers.length; height++) {
      const layer = this.#layers[height] as Int32Array;
      const before = layer[index >> 5] as number;
      layer[index >> 5] = before | (1 << (index & 31));
      if (before !== 0) return;
      index >>= 5;
    }
  }

  delete(place: number): void {
    let index = place;
    for (let height = 0; height < this.#layers.length; height++) {
      const layer = this.#layers[height] as Int32Array;
      const after = (layer[index >> 5] as number) & ~(1 << (index & 31));
      layer[index >> 5] = after;
      if (after !== 0) return;
      index >>= 5;
    }
  }

  /** Returns the least member that is `place` or more, or -1. */
  next(place: number): number {
    let index = place;
    for (let height = 0; height < this.#layers.length; height++) {
      const layer = this.#layers[height] as Int32Array;
      const word = index >> 5;
      if (word >= layer.length) return -1;
      const bits = (layer[word] as number) & (-1 << (index & 31));
      if (bits !== 0) return this.#descend(height, (word << 5) | lowestBit(bits));
      index = word + 1;
    }
    return -1;
  }

  #descend(height: number, place: number): number {
    let found = place;
    for (let below = height - 1; below >= 0; below--) {
      const layer = this.#layers[below] as Int32Array;
      found = (found << 5) | lowestBit(layer[found] as number);
    }
    return found;
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
