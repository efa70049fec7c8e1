/**
 * Plays recorded order flow and gives its real resting orders, the shadow orders, to fill models as
 * if they were ours.
 *
 * The test is not circular: a model receives the terms of a shadow order and the orders ahead of
 * it, nothing else. Each aggressor is reconstructed from all its trades and matched again by the
 * model; the orders that it really filled, and the end of the shadow order, stay here. One end is
 * shared: an order that its owner cancelled could not be filled afterwards, so later predicted
 * fills do not count.
 */
import { opposite, type Side } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { addLots, noLots, subtractLots } from '../../../src/domain/ticks-and-lots.ts';
import { IdentifiedBook } from '../../../src/market/book/identified-book.ts';
import type {
  OrderCreated,
  OrderFlowRow,
  OrderTraded,
} from '../../../src/market/flow/order-flow-row.ts';
import type { RestingOrder } from '../../../src/recording/file/flow-item.ts';
import { applyFlowRow } from '../../support/row-book.ts';
import type { FillPredictor, LevelEvent, LevelOrder, ShadowOrderTerms } from './fill-predictor.ts';
import { ShadowOrder } from './shadow-order.ts';

export type ShadowReplayOptions<Name extends string> = {
  readonly resting: readonly RestingOrder[];
  readonly createModels: (order: ShadowOrderTerms) => Readonly<Record<Name, FillPredictor>>;
  /** Called once for each shadow order, when later events cannot change its score. */
  readonly onJudged: (shadow: ShadowOrder<Name>) => void;
};

export class ShadowReplay<Name extends string> {
  readonly #options: ShadowReplayOptions<Name>;
  readonly #history = new IdentifiedBook();
  readonly #byId = new Map<string, ShadowOrder<Name>>();
  readonly #byPrice = {
    BID: new Map<Ticks, Set<ShadowOrder<Name>>>(),
    ASK: new Map<Ticks, Set<ShadowOrder<Name>>>(),
  };
  /** The trades so far of the current aggressor. */
  #trades: OrderTraded[] = [];
  #lastMicros = 0;

  constructor(options: ShadowReplayOptions<Name>) {
    this.#options = options;
    for (const { id, side, price, volume } of options.resting)
      this.#history.create(id, side, price, volume);
  }

  apply(row: OrderFlowRow): void {
    this.#lastMicros = row.atMicros;
    if (row.kind === 'trade') this.#applyTrade(row);
    else {
      this.#endAction();
      if (row.kind === 'create') this.#applyCreate(row);
      else this.#applyChange(row);
    }
    if (row.endsMessage) this.#endAction();
  }

  /** Ends the recording: orders that still rest are scored by what was seen of them. */
  finish(): void {
    this.#endAction();
    for (const side of ['BID', 'ASK'] as const)
      for (const shadows of [...this.#byPrice[side].values()])
        for (const shadow of [...shadows]) {
          shadow.close('still open', this.#lastMicros);
          this.#finishOrder(shadow);
        }
  }

  #applyCreate(row: OrderCreated): void {
    const { id, side, price, volume, atMicros } = row;
    const { book } = this.#history;
    const own = book.bestPrice(side);
    const other = book.bestPrice(opposite(side));
    // An order cannot come to rest at a price that crosses the book.
    const isResting = other === undefined || (side === 'BID' ? price < other : price > other);
    const ahead = isResting ? this.#ordersAt(side, price) : undefined;
    if (!applyFlowRow(this.#history, row)) return;
    this.#applyToLevel(side, price, { kind: 'joined', atMicros, id, volume });
    for (const [level, shadows] of this.#byPrice[opposite(side)])
      if (side === 'BID' ? price >= level : price <= level)
        for (const shadow of shadows) shadow.apply({ kind: 'met', atMicros, id, volume, price });
    if (ahead === undefined || this.#byId.has(id)) return;
    const terms: ShadowOrderTerms = { side, price, volume, createdMicros: atMicros, ahead };
    const distance = own === undefined ? undefined : side === 'BID' ? own - price : price - own;
    const shadow = new ShadowOrder({
      id,
      terms,
      distance,
      models: this.#options.createModels(terms),
    });
    this.#byId.set(id, shadow);
    const level = this.#byPrice[side].get(price);
    if (level === undefined) this.#byPrice[side].set(price, new Set([shadow]));
    else level.add(shadow);
  }

  /** Returns the orders of history at a price in queue order. */
  #ordersAt(side: Side, price: Ticks): readonly LevelOrder[] {
    const { book } = this.#history;
    return [...book.ordersAt(side, price)].map((slot) => ({
      id: this.#history.idOf(slot),
      volume: book.volumeOf(slot),
    }));
  }

  #applyChange(row: Exclude<OrderFlowRow, OrderCreated | OrderTraded>): void {
    const { id, atMicros } = row;
    const { book } = this.#history;
    const slot = this.#history.slotOf(id);
    if (slot === 0) return;
    const before = book.volumeOf(slot);
    const side = book.sideOf(slot);
    const price = book.priceOf(slot);
    applyFlowRow(this.#history, row);
    this.#close(id, row.kind === 'delete' ? 'cancelled' : 'changed', atMicros);
    const event: LevelEvent =
      row.kind === 'delete'
        ? { kind: 'left', atMicros, id, volume: before }
        : {
            kind: 'shrunk',
            atMicros,
            id,
            volume: row.volume,
            less: subtractLots(before, row.volume),
          };
    this.#applyToLevel(side, price, event, id);
  }

  #applyTrade(row: OrderTraded): void {
    const [first] = this.#trades;
    if (first !== undefined && first.makerSide !== row.makerSide) this.#endAction();
    applyFlowRow(this.#history, row);
    this.#trades.push(row);
    const shadow = this.#byId.get(row.makerId);
    if (shadow === undefined) return;
    shadow.trade(row.volume, row.atMicros);
    if (shadow.end !== undefined) this.#byId.delete(shadow.id);
  }

  /** Passes an aggressor to the models when all its trades are known. */
  #endAction(): void {
    const trades = this.#trades;
    const [first] = trades;
    if (first === undefined) return;
    this.#trades = [];
    const { makerSide, atMicros } = first;
    for (const [price, shadows] of this.#byPrice[makerSide]) {
      let atPrice: Lots = noLots;
      let through: Lots = noLots;
      for (const trade of trades) {
        if (trade.price === price) atPrice = addLots(atPrice, trade.volume);
        else if (makerSide === 'BID' ? trade.price < price : trade.price > price)
          through = addLots(through, trade.volume);
      }
      if (atPrice + through === 0) continue;
      for (const shadow of shadows) shadow.apply({ kind: 'traded', atMicros, atPrice, through });
      this.#finishJudged(shadows);
    }
  }

  #applyToLevel(side: Side, price: Ticks, event: LevelEvent, exceptId?: string): void {
    const shadows = this.#byPrice[side].get(price);
    if (shadows === undefined) return;
    for (const shadow of shadows) if (shadow.id !== exceptId) shadow.apply(event);
    this.#finishJudged(shadows);
  }

  #close(id: string, end: 'cancelled' | 'changed', atMicros: number): void {
    const shadow = this.#byId.get(id);
    if (shadow === undefined) return;
    shadow.close(end, atMicros);
    this.#finishOrder(shadow);
  }

  #finishJudged(shadows: Set<ShadowOrder<Name>>): void {
    for (const shadow of [...shadows])
      if (shadow.isJudged(this.#lastMicros)) this.#finishOrder(shadow);
  }

  #finishOrder(shadow: ShadowOrder<Name>): void {
    const { side, price } = shadow.terms;
    this.#byId.delete(shadow.id);
    const level = this.#byPrice[side].get(price);
    if (level?.delete(shadow) !== true) return;
    if (level.size === 0) this.#byPrice[side].delete(price);
    this.#options.onJudged(shadow);
  }
}
