/**
 * The streams of one pair for one strategy, fed only where somebody listens.
 *
 * Invariant: every value that leaves is frozen; the engine hands values over and never changes
 * them.
 */
import { type Observable, Subject } from 'rxjs';
import type { Top, Trade } from '../domain/market-view.ts';
import type { Fill, OwnOrder, Refusal } from './contract.ts';

/** What the engine tells a strategy about one pair. */
export type MarketEvent =
  | { readonly kind: 'top'; readonly pair: string; readonly top: Top }
  | { readonly kind: 'usable'; readonly pair: string; readonly usable: boolean }
  | { readonly kind: 'trade'; readonly pair: string; readonly trade: Trade }
  | { readonly kind: 'order'; readonly pair: string; readonly order: OwnOrder }
  | { readonly kind: 'fill'; readonly pair: string; readonly fill: Fill }
  | { readonly kind: 'refusal'; readonly pair: string; readonly refusal: Refusal };

export class MarketStreams {
  readonly top$: Observable<Top>;
  readonly usable$: Observable<boolean>;
  readonly trade$: Observable<Trade>;
  readonly order$: Observable<OwnOrder>;
  readonly fill$: Observable<Fill>;
  readonly refusal$: Observable<Refusal>;
  readonly #subjects = {
    top: new Subject<Top>(),
    usable: new Subject<boolean>(),
    trade: new Subject<Trade>(),
    order: new Subject<OwnOrder>(),
    fill: new Subject<Fill>(),
    refusal: new Subject<Refusal>(),
  };

  constructor() {
    // A plugin gets no Subject in its hands: it could feed the others.
    this.top$ = this.#subjects.top.asObservable();
    this.usable$ = this.#subjects.usable.asObservable();
    this.trade$ = this.#subjects.trade.asObservable();
    this.order$ = this.#subjects.order.asObservable();
    this.fill$ = this.#subjects.fill.asObservable();
    this.refusal$ = this.#subjects.refusal.asObservable();
  }

  /** Returns whether anybody listens to `kind`. */
  isObserved(kind: MarketEvent['kind']): boolean {
    return this.#subjects[kind].observed;
  }

  emit(event: MarketEvent): void {
    switch (event.kind) {
      case 'top':
        this.#subjects.top.next(Object.freeze(event.top));
        return;
      case 'usable':
        this.#subjects.usable.next(event.usable);
        return;
      case 'trade':
        this.#subjects.trade.next(Object.freeze(event.trade));
        return;
      case 'order':
        Object.freeze(event.order.terms);
        this.#subjects.order.next(Object.freeze(event.order));
        return;
      case 'fill':
        this.#subjects.fill.next(Object.freeze(event.fill));
        return;
      case 'refusal':
        Object.freeze(event.refusal.codes);
        this.#subjects.refusal.next(Object.freeze(event.refusal));
        return;
    }
  }
}
