/**
 * Imports Databento's order-by-order records of one instrument.
 *
 * A fill takes its volume off the resting order here; the cancel or change that follows it at the
 * same time says the same once more and is absorbed. A clear takes every order out at its own
 * time; a snapshot's is of the time at which the snapshot was made, which is when it was received:
 * its records have the times at which the orders last changed. Records that may belong to a wrong
 * book, since the channel was lost, come after a gap, which ends with the first event that has none
 * of them, or with a snapshot. What rows cannot say exactly is counted:
 *
 *   - a fill beyond the displayed volume took hidden volume; the order is gone for the book, and
 *     when the exchange shows it anew it comes back at the end of the queue (an iceberg's refill);
 *   - a change of price, or to more volume, loses its place: a delete and a create;
 *   - a trade without a fill took nothing that was shown, and is left out;
 *   - records of whole levels or of the top of the book are no orders, and are left out;
 *   - before the opening the book is crossed, and stays so in the recording; the header's counts
 *     say after how many messages.
 *
 * https://databento.com/docs/schemas-and-data-formats/mbo and .../mbo-snapshot, read 2026-11-21.
 */
import { ConfigError, DecodeError } from '../../domain/errors.ts';
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { addLots, lotsLeft, noLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import type { FlowItem, FlowRow, RestingOrder } from '../file/flow-item.ts';
import { type FlowSource, importedMarket, sourceFileOf } from '../file/flow-source.ts';
import { DbnFile, type DbnRecord } from './dbn-file.ts';
import type { ImportOptions } from './import-ndjson.ts';

const lastFlag = 128;
const snapshotFlag = 32;
/** Of the top of the book, and of a whole level. */
const notOrderFlags = 64 | 16;
const maybeBadBookFlag = 4;
const priceDecimals = 9;
const undefinedPrice = 2n ** 63n - 1n;
const undefinedNanos = 2n ** 64n - 1n;

/**
 * Opens the file at `path`. Throws NotFoundError, DecodeError, or ConfigError for two instruments.
 */
export async function importDbn(path: string, options: ImportOptions): Promise<FlowSource> {
  const { base, counter, volumeScale = 0 } = options;
  const source = await sourceFileOf(path);
  const fileOf = () => new DbnFile(path, source.bytes);
  const found = await profileOf(fileOf());
  const priceScale = options.priceScale ?? found.priceScale;
  const market = importedMarket({ base, counter, priceScale, volumeScale: volumeScale ?? 0 });
  const reader = new DbnItems(fileOf(), priceScale, market.volumeScale);
  return {
    header: {
      grade: 'order',
      market,
      venue: found.dataset,
      format: 'dbn-mbo',
      sources: [source],
      tick: Math.max(1, found.step / 10 ** (priceDecimals - priceScale)),
      lot: 1,
    },
    resting: [],
    items: reader.items(),
    notes: reader.notes,
  };
}

/** Reads the file once for what the header needs. */
async function profileOf(file: DbnFile) {
  const instruments = new Set<number>();
  let step = 0;
  for await (const records of file.batches())
    for (const { instrument, price } of records) {
      instruments.add(instrument);
      if (price !== undefinedPrice) step = greatestCommonDivisor(step, Math.abs(asInteger(price)));
    }
  if (instruments.size !== 1)
    throw new ConfigError(
      `${file.path}: must hold one instrument, holds ${instruments.size}: ${[...instruments].slice(0, 10).join(', ')}`,
    );
  let priceScale = priceDecimals;
  while (priceScale > 0 && step % 10 ** (priceDecimals - priceScale + 1) === 0) priceScale--;
  return { dataset: file.dataset, step, priceScale };
}

/** Prices are within 2^53: nine million units of the counter currency. */
function asInteger(price: bigint): number {
  return Number.parseInt(price.toString(), 10);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

type Shown = { readonly side: Side; readonly price: Ticks; volume: Lots };

type Snapshot = {
  readonly orders: RestingOrder[];
  /** When it was made. */
  readonly atMicros: number;
  /** Its last record was there. */
  isWhole: boolean;
};

class DbnItems {
  readonly notes = {
    modifies: 0,
    resized: 0,
    requeued: 0,
    refills: 0,
    hiddenTrades: 0,
    tradesWithoutFill: 0,
    absorbed: 0,
    partialCancels: 0,
    withoutPrice: 0,
    clears: 0,
    maybeBadBook: 0,
    notOrders: 0,
    otherRecords: 0,
  };
  readonly #file: DbnFile;
  readonly #divisor: number;
  readonly #lot: number;
  readonly #orders = new Map<string, Shown>();
  /** What fills took off orders whose cancel or change is still to come. */
  readonly #filled = new Map<string, Lots>();
  #takerId: string | undefined;
  /** No fill has come of the last trade. */
  #isUnfilled = false;
  #event: FlowRow[] = [];
  #isInEvent = false;
  #hasCleared = false;
  #isMaybeBad = false;
  /** The gap before an event that may be of a wrong book has not ended. */
  #isLost = false;
  #snapshot: Snapshot | undefined;
  #items: FlowItem[] = [];
  #lastMicros = 0;
  /** Up to when everything was told. */
  #toldMicros = 0;

  constructor(file: DbnFile, priceScale: number, volumeScale: number) {
    this.#file = file;
    this.#divisor = 10 ** (priceDecimals - priceScale);
    this.#lot = 10 ** volumeScale;
  }

  async *items(): AsyncGenerator<readonly FlowItem[], void> {
    for await (const records of this.#file.batches()) {
      for (const record of records) this.#take(record);
      yield this.#taken();
    }
    this.#endSnapshot(Infinity);
    this.#endEvent();
    this.notes.otherRecords = this.#file.others;
    yield this.#taken();
  }

  #taken(): readonly FlowItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #take(record: DbnRecord): void {
    const { action, flags } = record;
    if ((flags & notOrderFlags) !== 0) {
      this.notes.notOrders++;
      if ((flags & lastFlag) !== 0) this.#endEvent();
      return;
    }
    const isMaybeBad = (flags & maybeBadBookFlag) !== 0;
    if (isMaybeBad) this.notes.maybeBadBook++;
    // A record of no action may be within a snapshot, but begins none: that would empty the book.
    const isPart = action === 'R' || action === 'A' || (action === 'N' && this.#snapshot);
    if ((flags & snapshotFlag) !== 0 && isPart) {
      this.#takeSnapshot(record);
      return;
    }
    const received = record.receivedNanos;
    const nanos = record.eventNanos === undefinedNanos ? received : record.eventNanos;
    const atMicros = asInteger(nanos / 1_000n);
    if (atMicros !== this.#lastMicros) {
      // A clear need not have the flag that ends its event.
      if (this.#hasCleared) this.#endEvent();
      this.#filled.clear();
    }
    this.#endSnapshot(atMicros);
    this.#lastMicros = atMicros;
    this.#isInEvent = true;
    if (isMaybeBad) this.#isMaybeBad = true;
    const delayMicros = asInteger((received - nanos) / 1_000n);
    this.#change(record, { atMicros, sequence: 0, endsMessage: false, delayMicros });
    if ((flags & lastFlag) !== 0) this.#endEvent();
  }

  #change(record: DbnRecord, place: RowPlace): void {
    switch (record.action) {
      case 'T':
        this.#endTrade();
        this.#isUnfilled = true;
        this.#takerId = record.orderId;
        return;
      case 'F':
        this.#fill(record, place);
        return;
      case 'A':
        this.#add(record, place);
        return;
      case 'C':
        this.#cancel(record, place);
        return;
      case 'M':
        this.#modify(record, place);
        return;
      case 'R':
        this.#clear(place);
        return;
      case 'N':
        return;
      default:
        throw new DecodeError(
          `${this.#file.path}: action of order ${record.orderId} must be A, C, M, T, F, R or N, was ${record.action}`,
        );
    }
  }

  /** Takes one of the records that tell the whole book. A snapshot need not begin with a clear. */
  #takeSnapshot(record: DbnRecord): void {
    if (this.#snapshot?.isWhole) this.#endSnapshot(Infinity);
    if (record.action === 'R') this.notes.clears++;
    if (record.action === 'R' || this.#snapshot === undefined) {
      this.#endEvent();
      this.#orders.clear();
      const atMicros = asInteger(record.receivedNanos / 1_000n);
      this.#snapshot = { orders: [], atMicros, isWhole: false };
    }
    const order = record.action === 'A' ? this.#orderOf(record) : undefined;
    if (order !== undefined) {
      this.#orders.set(order.id, { ...order });
      this.#snapshot.orders.push(order);
    }
    if ((record.flags & lastFlag) !== 0) this.#snapshot.isWhole = true;
  }

  /** What follows came from the exchange at `nextMicros`, and may have been on its way before. */
  #endSnapshot(nextMicros: number): void {
    if (this.#snapshot === undefined) return;
    const { orders, atMicros } = this.#snapshot;
    const rank = (order: RestingOrder): number =>
      order.side === 'BID' ? -order.price : order.price;
    const sideOf = (side: Side) =>
      orders.filter((one) => one.side === side).sort((a, b) => rank(a) - rank(b));
    this.#toldMicros = Math.max(this.#toldMicros, Math.min(atMicros, nextMicros));
    this.#items.push({
      kind: 'snapshot',
      atMicros: this.#toldMicros,
      status: 'ACTIVE',
      orders: [...sideOf('BID'), ...sideOf('ASK')],
    });
    this.#snapshot = undefined;
    this.#isLost = false;
  }

  #endEvent(): void {
    if (!this.#isInEvent) return;
    this.#isInEvent = false;
    this.#endTrade();
    const isFound = this.#isLost && !this.#isMaybeBad;
    if (this.#isMaybeBad && !this.#isLost)
      this.#items.push({ kind: 'gap', atMicros: this.#toldMicros });
    this.#isLost = this.#isMaybeBad;
    this.#toldMicros = Math.max(this.#toldMicros, this.#lastMicros);
    const last = this.#event.pop();
    // A clear of a large book is more than a call can have arguments.
    for (const row of this.#event) this.#items.push(row);
    if (last !== undefined) this.#items.push({ ...last, endsMessage: !isFound });
    if (isFound) this.#items.push({ kind: 'status', atMicros: this.#toldMicros, status: 'ACTIVE' });
    this.#event = [];
    this.#hasCleared = false;
    this.#isMaybeBad = false;
    this.#takerId = undefined;
  }

  #endTrade(): void {
    if (this.#isUnfilled) this.notes.tradesWithoutFill++;
    this.#isUnfilled = false;
  }

  #clear(place: RowPlace): void {
    this.notes.clears++;
    for (const id of this.#orders.keys()) this.#event.push({ ...place, kind: 'delete', id });
    this.#orders.clear();
    this.#hasCleared = true;
  }

  #fill(record: DbnRecord, place: RowPlace): void {
    this.#isUnfilled = false;
    const { orderId: makerId } = record;
    const shown = this.#orders.get(makerId);
    const price = shown?.price ?? this.#ticks(record.price);
    const volume = this.#lots(record.size);
    if (price === undefined || volume === 0) return;
    const makerSide = shown?.side ?? sideOf(record) ?? 'BID';
    const takerId = this.#takerId;
    this.#event.push({ ...place, kind: 'trade', makerId, takerId, makerSide, price, volume });
    if (shown === undefined) return;
    if (volume > shown.volume) this.notes.hiddenTrades++;
    shown.volume = lotsLeft(shown.volume, volume);
    this.#filled.set(makerId, addLots(this.#filled.get(makerId) ?? noLots, volume));
    if (shown.volume === 0) this.#orders.delete(makerId);
  }

  #add(record: DbnRecord, place: RowPlace): void {
    const order = this.#orderOf(record);
    if (order === undefined) return;
    this.#filled.delete(order.id);
    this.#orders.set(order.id, { ...order });
    this.#event.push({ ...place, kind: 'create', ...order });
  }

  #cancel(record: DbnRecord, place: RowPlace): void {
    const { orderId: id } = record;
    const shown = this.#orders.get(id);
    const filled = this.#filled.get(id);
    const volume = this.#lots(record.size);
    const cancelled = lotsLeft(volume, filled ?? noLots);
    if (filled !== undefined) {
      this.#filled.set(id, lotsLeft(filled, volume));
      if (shown === undefined || cancelled === 0) {
        this.notes.absorbed++;
        return;
      }
    }
    const left = lotsLeft(shown?.volume ?? noLots, cancelled);
    if (shown !== undefined && left > 0) {
      this.notes.partialCancels++;
      shown.volume = left;
      this.#event.push({ ...place, kind: 'resize', id, volume: left });
      return;
    }
    this.#orders.delete(id);
    this.#event.push({ ...place, kind: 'delete', id });
  }

  #modify(record: DbnRecord, place: RowPlace): void {
    this.notes.modifies++;
    const order = this.#orderOf(record);
    if (order === undefined) return;
    const { id, side, price, volume } = order;
    const shown = this.#orders.get(id);
    this.#filled.delete(id);
    if (shown === undefined) {
      this.notes.refills++;
    } else if (shown.price === price && shown.side === side && volume <= shown.volume) {
      if (volume === shown.volume) {
        this.notes.absorbed++;
        return;
      }
      this.notes.resized++;
      shown.volume = volume;
      this.#event.push({ ...place, kind: 'resize', id, volume });
      return;
    } else {
      this.notes.requeued++;
      this.#event.push({ ...place, kind: 'delete', id });
    }
    this.#orders.set(id, { ...order });
    this.#event.push({ ...place, kind: 'create', ...order });
  }

  #orderOf(record: DbnRecord): RestingOrder | undefined {
    const price = this.#ticks(record.price);
    const side = sideOf(record);
    const volume = this.#lots(record.size);
    if (price !== undefined && side !== undefined && volume > 0)
      return { id: record.orderId, side, price, volume };
    this.notes.withoutPrice++;
    return undefined;
  }

  #ticks(price: bigint): Ticks | undefined {
    if (price === undefinedPrice) return undefined;
    const ticks = asInteger(price) / this.#divisor;
    if (Number.isSafeInteger(ticks)) return ticksOf(ticks);
    throw new DecodeError(`${this.#file.path}: price ${price} × 10^-9 does not fit the scale`);
  }

  #lots(size: number): Lots {
    // No check here: the book refuses what is too large, and the error names the row.
    return (size * this.#lot) as Lots;
  }
}

type RowPlace = Pick<FlowRow, 'atMicros' | 'sequence' | 'endsMessage'> & {
  readonly delayMicros: number;
};

function sideOf({ side }: DbnRecord): Side | undefined {
  return side === 'B' ? 'BID' : side === 'A' ? 'ASK' : undefined;
}
