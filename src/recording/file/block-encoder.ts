/**
 * Turns order flow by id, recorded or live, into blocks of rows with slots. It keeps the book of
 * the source, replaces each order's id with its slot in that book, and gives slot 0 to rows that do
 * not fit. After a gap, a snapshot gives the book again; the difference becomes a message of
 * changes.
 *
 * Invariant: rows are in order of time, and replaying them gives the source's book.
 */
import type { MarketStatus } from '../../domain/market.ts';
import { minLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { restingOf } from '../../market/book/flow-columns-book.ts';
import { IdentifiedBook } from '../../market/book/identified-book.ts';
import { type RestingBlock, rowKind, statuses } from '../../market/flow/flow-block.ts';
import type { OrderResized } from '../../market/flow/order-flow-row.ts';
import { changesTo } from './book-changes.ts';
import { type BuiltBlock, type BuiltRow, FlowBlockBuilder } from './flow-block-builder.ts';
import type { FlowItem, FlowRow, FlowTrade, RestingOrder } from './flow-item.ts';
import {
  emptyCounts,
  type MisfitKind,
  type MisfitPlaces,
  type RecordingCounts,
} from './recording-header.ts';

type RowBase = Pick<BuiltRow, 'atMicros' | 'endsMessage' | 'delayMicros'>;

export class BlockEncoder {
  readonly counts: RecordingCounts = emptyCounts();
  readonly firstMisfits: MisfitPlaces = {};
  /** The orders of the source, for reading only. */
  readonly orders: IdentifiedBook;
  #builder: FlowBlockBuilder | undefined;
  #lastMicros = -Infinity;
  #isBetweenMessages = true;
  #status = 0;

  /** Takes ownership of an empty book. */
  constructor(orders = new IdentifiedBook()) {
    this.orders = orders;
  }

  /** The number of rows since the last {@link take}. */
  get rows(): number {
    return this.#builder?.rows ?? 0;
  }

  /** The time of the last row; -Infinity before the first. */
  get lastMicros(): number {
    return this.#lastMicros;
  }

  /** Whether the last row ended its message. */
  get isBetweenMessages(): boolean {
    return this.#isBetweenMessages;
  }

  /** Returns the resting orders, and their ids in the same order. */
  resting(): { readonly block: RestingBlock; readonly ids: readonly string[] } {
    const block = restingOf(this.orders.book, this.#status);
    return { block, ids: [...block.slots].map((slot) => this.orders.idOf(slot)) };
  }

  /** Sets the book at the start; this makes no rows. */
  start(orders: readonly RestingOrder[], status: MarketStatus = 'ACTIVE'): void {
    this.#status = statuses.indexOf(status);
    for (const { id, side, price, volume } of orders) {
      if (this.orders.slotOf(id) !== 0) this.#misfit('repeatedIds');
      else this.orders.create(id, side, price, volume);
    }
  }

  /** Returns the rows since the last call as a block; undefined if there are none. */
  take(): BuiltBlock | undefined {
    return this.rows === 0 ? undefined : this.#builder?.take();
  }

  add(item: FlowItem): void {
    const atMicros = Math.max(item.atMicros, this.#lastMicros);
    if (atMicros !== item.atMicros) this.#misfit('timesWentBack', atMicros);
    this.#lastMicros = atMicros;
    const { delayMicros } = item;
    const whole: RowBase = { atMicros, endsMessage: true, delayMicros };
    switch (item.kind) {
      case 'snapshot':
        this.#resync(item.orders, item.status, whole);
        return;
      case 'gap':
        this.counts.gaps++;
        this.#put({ ...whole, kind: rowKind.gap, slot: 0, isAsk: false });
        return;
      case 'status':
        this.#putStatus(item.status, whole);
        return;
      case 'candle': {
        const candle = [item.open, item.high, item.low, item.close] as const;
        const { volume } = item;
        this.#put({ ...whole, kind: rowKind.candle, slot: 0, isAsk: false, candle, volume });
        return;
      }
      case 'bare-trade': {
        const { price, volume, makerSide } = item;
        const isAsk = makerSide === 'ASK';
        this.counts.trades++;
        this.#put({ ...whole, kind: rowKind.trade, slot: 0, isAsk, price, volume });
        return;
      }
      default:
        this.#addRow(item, { atMicros, endsMessage: item.endsMessage, delayMicros });
    }
  }

  #addRow(row: FlowRow, base: RowBase): void {
    switch (row.kind) {
      case 'create':
        this.#create(row, base);
        return;
      case 'delete':
        this.#delete(row.id, base);
        return;
      case 'resize':
        this.#resize(row, base);
        return;
      case 'trade':
        this.#trade(row, base);
    }
  }

  #create(order: RestingOrder, base: RowBase): void {
    const { id, side, price, volume } = order;
    this.counts.creates++;
    const isNew = this.orders.slotOf(id) === 0;
    if (!isNew) this.#misfit('repeatedIds', base.atMicros);
    const slot = isNew ? this.orders.create(id, side, price, volume) : 0;
    const isAsk = side === 'ASK';
    this.#put({ ...base, kind: rowKind.create, slot, isAsk, price, volume, id });
  }

  #delete(id: string, base: RowBase): void {
    this.counts.deletes++;
    const slot = this.#slotOf(id, base);
    const order = this.#orderFields(slot, id);
    if (slot !== 0) this.orders.remove(slot);
    this.#put({ ...base, kind: rowKind.delete, ...order });
  }

  #resize(row: Pick<OrderResized, 'id' | 'volume' | 'price'>, base: RowBase): void {
    const { id, volume } = row;
    const { book } = this.orders;
    const known = this.orders.slotOf(id);
    if (known !== 0 && this.orders.losesPlace(known, row)) {
      const { price = book.priceOf(known) } = row;
      const side = book.sideOf(known);
      this.#delete(id, { ...base, endsMessage: false });
      this.#create({ id, side, price, volume }, base);
      return;
    }
    this.counts.resizes++;
    const slot = this.#slotOf(id, base);
    const order = this.#orderFields(slot, id);
    if (slot !== 0) {
      const resting = book.volumeOf(slot);
      if (volume < resting) this.orders.reduce(slot, subtractLots(resting, volume));
    }
    this.#put({ ...base, kind: rowKind.resize, ...order, volume });
  }

  #trade(row: FlowTrade, base: RowBase): void {
    const { makerId, takerId = '', price, volume } = row;
    this.counts.trades++;
    const slot = this.#slotOf(makerId, base);
    const { book } = this.orders;
    const makerSide = slot === 0 ? row.makerSide : book.sideOf(slot);
    const isAsk = makerSide === 'ASK';
    if (row.makerSide !== undefined && row.makerSide !== makerSide)
      this.#misfit('otherSides', base.atMicros);
    if (slot === 0) {
      // An unknown maker has no slot, so its id is stored as well.
      const id = `${takerId}\t${makerId}`;
      this.#put({ ...base, kind: rowKind.trade, slot, isAsk, price, volume, id });
      return;
    }
    const isPriceDifferent = book.priceOf(slot) !== price;
    if (isPriceDifferent) this.#misfit('otherPrices', base.atMicros);
    const resting = book.volumeOf(slot);
    if (volume > resting) this.#misfit('excessVolumes', base.atMicros);
    this.orders.reduce(slot, minLots(volume, resting));
    const trade = { ...base, kind: rowKind.trade, slot, isAsk, volume, id: takerId };
    this.#put(isPriceDifferent ? { ...trade, price } : trade);
  }

  #slotOf(id: string, { atMicros }: RowBase): number {
    const slot = this.orders.slotOf(id);
    if (slot === 0) this.#misfit('unknownOrders', atMicros);
    return slot;
  }

  /** Counts a misfit of the next row, or of the book at the start if there is no time. */
  #misfit(kind: MisfitKind, micros?: number): void {
    this.counts[kind]++;
    this.firstMisfits[kind] ??=
      micros === undefined ? { row: 0 } : { row: this.counts.rows + 1, micros };
  }

  #orderFields(slot: number, id: string): Pick<BuiltRow, 'slot' | 'isAsk' | 'id'> {
    if (slot === 0) return { slot, isAsk: false, id };
    return { slot, isAsk: this.orders.book.sideOf(slot) === 'ASK' };
  }

  #put(row: BuiltRow): void {
    this.counts.rows++;
    this.#isBetweenMessages = row.endsMessage;
    if (row.endsMessage) {
      this.counts.messages++;
      if (this.orders.book.isCrossed()) this.counts.crossed++;
    }
    this.#builder ??= new FlowBlockBuilder(0, row.atMicros);
    this.#builder.add(row);
  }

  #putStatus(status: MarketStatus, base: RowBase): void {
    this.counts.statuses++;
    this.#status = statuses.indexOf(status);
    this.#put({ ...base, kind: rowKind.status, slot: this.#status, isAsk: false });
  }

  /** Emits the changes from the book to a snapshot as one message, which ends with the status. */
  #resync(orders: readonly RestingOrder[], status: MarketStatus, base: RowBase): void {
    const within = { ...base, endsMessage: false };
    for (const change of changesTo(this.orders, orders))
      if (change.kind === 'delete') this.#delete(change.id, within);
      else if (change.kind === 'create') this.#create(change.order, within);
      else this.#resize(change, within);
    this.#putStatus(status, base);
  }
}
