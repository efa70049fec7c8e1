/** A pair as one part of a strategy sees it: its own orders, under the names that it gave them. */
import { filter, map, type Observable } from 'rxjs';
import { isUnderPart } from '../../domain/part-name.ts';
import type { PairStreams } from '../market-streams.ts';
import type { Fill, OwnOrder } from '../own-views.ts';

/** Returns the streams of a pair with only what concerns the part. */
export function streamsOfPart(streams: PairStreams, part: string): PairStreams {
  const ofPart = <Value extends Named>(stream$: Observable<Value>): Observable<Value> =>
    stream$.pipe(
      filter(({ key }) => isUnderPart(key, part)),
      map((value) => Object.freeze(named(value, part))),
    );
  return {
    ...streams,
    order$: ofPart(streams.order$),
    fill$: ofPart(streams.fill$),
    refusal$: ofPart(streams.refusal$),
  };
}

/** The orders of a part. While nothing has changed, the list and its orders stay the same. */
export class PartOrders {
  readonly #part: string;
  readonly #orders: () => readonly OwnOrder[];
  #all: readonly OwnOrder[] | undefined;
  #own: readonly OwnOrder[] = [];
  readonly #known = new WeakMap<OwnOrder, OwnOrder>();

  /** `orders` returns those of the whole strategy. */
  constructor(part: string, orders: () => readonly OwnOrder[]) {
    this.#part = part;
    this.#orders = orders;
  }

  get all(): readonly OwnOrder[] {
    const all = this.#orders();
    if (all === this.#all) return this.#own;
    this.#all = all;
    const own = all
      .filter(({ key }) => isUnderPart(key, this.#part))
      .map((order) => this.#ownOf(order));
    const isSame = own.length === this.#own.length && own.every((one, at) => one === this.#own[at]);
    if (!isSame) this.#own = Object.freeze(own);
    return this.#own;
  }

  #ownOf(order: OwnOrder): OwnOrder {
    const known = this.#known.get(order) ?? Object.freeze(named(order, this.#part));
    this.#known.set(order, known);
    return known;
  }
}

/** Returns the fills of a part among those of the strategy; all of them for the empty name. */
export function fillsOfPart(fills: readonly Fill[], part: string): readonly Fill[] {
  if (part === '') return fills;
  const own = fills.filter(({ key }) => isUnderPart(key, part));
  return Object.freeze(own.map((fill) => Object.freeze(named(fill, part))));
}

type Named = { readonly key: string; readonly level?: string };

/** Returns `value` with the key and the level that the part wrote. */
function named<Value extends Named>(value: Value, part: string): Value {
  const from = part.length + 1;
  const { key, level } = value;
  const names = level === undefined ? {} : { level: level.slice(from) };
  return { ...value, key: key.slice(from), ...names };
}
