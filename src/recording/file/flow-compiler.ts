/**
 * Gives recorded order flow its slots: keeps history's book as it was, names each order by its
 * place there, and says of each row once and for all whether it fitted. After a gap the book is
 * known again from a snapshot; what is between the two is told as changes.
 *
 * Invariant: rows come out in order of time, and replaying them gives the source's book.
 */
import type { MarketStatus } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { minLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { restingOf } from '../../market/book/flow-columns-book.ts';
import { IdentifiedBook } from '../../market/book/identified-book.ts';
import { type RestingBlock, rowKind, statuses } from '../../market/flow/flow-block.ts';
import { changesTo } from './book-changes.ts';
import type { BuiltRow } from './flow-block-builder.ts';
import type { FlowItem, FlowRow, FlowTrade, RestingOrder } from './flow-item.ts';
import { emptyCounts, type RecordingCounts } from './recording-header.ts';

type Place = Pick<BuiltRow, 'atMicros' | 'endsMessage' | 'delayMicros'>;

export class FlowCompiler {
  readonly counts: RecordingCounts = emptyCounts();
  readonly #orders = new IdentifiedBook();
  readonly #emit: (row: BuiltRow) => void;
  #lastMicros = -Infinity;
  /** A message is under way; only whole ones are told. */
  #isBetween = true;
  #status = 0;

  /** `emit` hears every row. */
  constructor(emit: (row: BuiltRow) => void) {
    this.#emit = emit;
  }

  /** Whether the last row ended its message. */
  get isBetween(): boolean {
    return this.#isBetween;
  }

  /** The orders that rest now, and their ids in the same order. */
  resting(): { readonly block: RestingBlock; readonly ids: readonly string[] } {
    const block = restingOf(this.#orders.book, this.#status);
    return { block, ids: [...block.slots].map((slot) => this.#orders.idOf(slot)) };
  }

  /** Puts the orders that rest at the beginning in place; no rows come of it. */
  start(orders: readonly RestingOrder[], status: MarketStatus = 'ACTIVE'): void {
    this.#status = statuses.indexOf(status);
    for (const { id, side, price, volume } of orders) {
      if (this.#orders.slotOf(id) !== 0) this.counts.repeatedIds++;
      else this.#orders.create(id, side, price, volume);
    }
  }

  /** Takes the next item. */
  add(item: FlowItem): void {
    const atMicros = Math.max(item.atMicros, this.#lastMicros);
    if (atMicros !== item.atMicros) this.counts.timesWentBack++;
    this.#lastMicros = atMicros;
    const { delayMicros } = item;
    const whole: Place = { atMicros, endsMessage: true, delayMicros };
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

  #addRow(row: FlowRow, place: Place): void {
    switch (row.kind) {
      case 'create':
        this.#create(row, place);
        return;
      case 'delete':
        this.#delete(row.id, place);
        return;
      case 'resize':
        this.#resize(row.id, row.volume, place);
        return;
      case 'trade':
        this.#trade(row, place);
    }
  }

  #create(order: RestingOrder, place: Place): void {
    const { id, side, price, volume } = order;
    this.counts.creates++;
    const isNew = this.#orders.slotOf(id) === 0;
    if (!isNew) this.counts.repeatedIds++;
    const slot = isNew ? this.#orders.create(id, side, price, volume) : 0;
    const isAsk = side === 'ASK';
    this.#put({ ...place, kind: rowKind.create, slot, isAsk, price, volume, id });
  }

  #delete(id: string, place: Place): void {
    this.counts.deletes++;
    const slot = this.#slotOf(id);
    const known = this.#about(slot, id);
    if (slot !== 0) this.#orders.remove(slot);
    this.#put({ ...place, kind: rowKind.delete, ...known });
  }

  #resize(id: string, volume: Lots, place: Place): void {
    this.counts.resizes++;
    const slot = this.#slotOf(id);
    const known = this.#about(slot, id);
    if (slot !== 0) {
      const resting = this.#orders.book.volumeOf(slot);
      if (volume > resting) this.counts.excessVolumes++;
      else if (volume < resting) this.#orders.reduce(slot, subtractLots(resting, volume));
    }
    this.#put({ ...place, kind: rowKind.resize, ...known, volume });
  }

  #trade(row: FlowTrade, place: Place): void {
    const { makerId, takerId = '', price, volume } = row;
    this.counts.trades++;
    const slot = this.#slotOf(makerId);
    const { book } = this.#orders;
    const makerSide = slot === 0 ? row.makerSide : book.sideOf(slot);
    const isAsk = makerSide === 'ASK';
    if (row.makerSide !== undefined && row.makerSide !== makerSide) this.counts.otherSides++;
    if (slot === 0) {
      // Its maker's id is the only trace of it.
      const id = `${takerId}\t${makerId}`;
      this.#put({ ...place, kind: rowKind.trade, slot, isAsk, price, volume, id });
      return;
    }
    const isOther = book.priceOf(slot) !== price;
    if (isOther) this.counts.otherPrices++;
    const resting = book.volumeOf(slot);
    if (volume > resting) this.counts.excessVolumes++;
    this.#orders.reduce(slot, minLots(volume, resting));
    const trade = { ...place, kind: rowKind.trade, slot, isAsk, volume, id: takerId };
    this.#put(isOther ? { ...trade, price } : trade);
  }

  #slotOf(id: string): number {
    const slot = this.#orders.slotOf(id);
    if (slot === 0) this.counts.unknownOrders++;
    return slot;
  }

  #about(slot: number, id: string): Pick<BuiltRow, 'slot' | 'isAsk' | 'id'> {
    if (slot === 0) return { slot, isAsk: false, id };
    return { slot, isAsk: this.#orders.book.sideOf(slot) === 'ASK' };
  }

  #put(row: BuiltRow): void {
    this.counts.rows++;
    this.#isBetween = row.endsMessage;
    if (row.endsMessage) {
      this.counts.messages++;
      if (this.#orders.book.isCrossed()) this.counts.crossed++;
    }
    this.#emit(row);
  }

  #putStatus(status: MarketStatus, place: Place): void {
    this.counts.statuses++;
    this.#status = statuses.indexOf(status);
    this.#put({ ...place, kind: rowKind.status, slot: this.#status, isAsk: false });
  }

  /** Tells what is between the book and a snapshot as one message, which ends with the status. */
  #resync(orders: readonly RestingOrder[], status: MarketStatus, place: Place): void {
    const within = { ...place, endsMessage: false };
    for (const change of changesTo(this.#orders, orders))
      if (change.kind === 'delete') this.#delete(change.id, within);
      else if (change.kind === 'create') this.#create(change.order, within);
      else this.#resize(change.id, change.volume, within);
    this.#putStatus(status, place);
  }
}
