/**
 * The streams of one pair for one strategy; the engine feeds only those with subscribers.
 *
 * Invariant: every emitted value is frozen; the engine never changes it afterwards.
 */
import type { Observable } from 'rxjs';
import type { Top, Trade, TradeCollector } from '../domain/market-view.ts';
import type { CollectedTrades } from './candle-stream.ts';
import { EventSource } from './event-source.ts';
import type { Fill, OwnOrder, Refusal } from './own-views.ts';

/** One value for a strategy's stream of one pair. */
export type MarketEvent =
  | { readonly kind: 'top'; readonly pair: string; readonly top: Top }
  | { readonly kind: 'topWithVolume'; readonly pair: string; readonly top: Top }
  | { readonly kind: 'usable'; readonly pair: string; readonly usable: boolean }
  | { readonly kind: 'trade'; readonly pair: string; readonly trade: Trade }
  | { readonly kind: 'order'; readonly pair: string; readonly order: OwnOrder }
  | { readonly kind: 'fill'; readonly pair: string; readonly fill: Fill }
  | { readonly kind: 'refusal'; readonly pair: string; readonly refusal: Refusal };

/** What a strategy gets of them. */
export type PairStreams = Pick<
  MarketStreams,
  Exclude<
    keyof MarketStreams,
    'isObserved' | 'hasSubscribers' | 'followsMarket' | 'collectors' | 'emit'
  >
>;

export class MarketStreams {
  /** The trades for candles. A trade that is only collected runs no code of the plugin. */
  readonly collectedTrades: CollectedTrades = {
    collect: (add) => {
      this.#collectors = [...this.#collectors, add];
      return () => {
        this.#collectors = this.#collectors.filter((other) => other !== add);
      };
    },
  };
  readonly top$: Observable<Top>;
  readonly topWithVolume$: Observable<Top>;
  readonly usable$: Observable<boolean>;
  readonly trade$: Observable<Trade>;
  readonly order$: Observable<OwnOrder>;
  readonly fill$: Observable<Fill>;
  readonly refusal$: Observable<Refusal>;
  #collectors: readonly TradeCollector[] = [];
  readonly #sources = {
    top: new EventSource<Top>(),
    topWithVolume: new EventSource<Top>(),
    usable: new EventSource<boolean>(),
    trade: new EventSource<Trade>(),
    order: new EventSource<OwnOrder>(),
    fill: new EventSource<Fill>(),
    refusal: new EventSource<Refusal>(),
  };

  constructor() {
    // A plugin must not get a source, with which it could feed the streams of others.
    this.top$ = this.#sources.top.stream$;
    this.topWithVolume$ = this.#sources.topWithVolume.stream$;
    this.usable$ = this.#sources.usable.stream$;
    this.trade$ = this.#sources.trade.stream$;
    this.order$ = this.#sources.order.stream$;
    this.fill$ = this.#sources.fill.stream$;
    this.refusal$ = this.#sources.refusal.stream$;
  }

  /** Returns whether the stream of `kind` has subscribers, or collects trades. */
  isObserved(kind: MarketEvent['kind']): boolean {
    return this.hasSubscribers(kind) || (kind === 'trade' && this.#collectors.length > 0);
  }

  /** Returns whether code of the plugin runs on each event of `kind`. */
  hasSubscribers(kind: MarketEvent['kind']): boolean {
    return this.#sources[kind].isObserved;
  }

  /** Whether code of the plugin runs on market messages that leave the book usable. */
  get followsMarket(): boolean {
    const { top, topWithVolume, trade } = this.#sources;
    return top.isObserved || topWithVolume.isObserved || trade.isObserved;
  }

  /** What collects trades for candles. */
  get collectors(): readonly TradeCollector[] {
    return this.#collectors;
  }

  emit(event: MarketEvent): void {
    switch (event.kind) {
      case 'top':
      case 'topWithVolume':
        this.#sources[event.kind].emit(Object.freeze(event.top));
        return;
      case 'usable':
        this.#sources.usable.emit(event.usable);
        return;
      case 'trade':
        for (const add of this.#collectors) addTrade(add, event.trade);
        if (this.hasSubscribers('trade')) this.#sources.trade.emit(Object.freeze(event.trade));
        return;
      case 'order':
        Object.freeze(event.order.terms);
        this.#sources.order.emit(Object.freeze(event.order));
        return;
      case 'fill':
        this.#sources.fill.emit(Object.freeze(event.fill));
        return;
      case 'refusal':
        Object.freeze(event.refusal.codes);
        this.#sources.refusal.emit(Object.freeze(event.refusal));
        return;
    }
  }
}

function addTrade(add: TradeCollector, { price, volume }: Trade): void {
  add(price, price, price, price, volume);
}
