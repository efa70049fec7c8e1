/**
 * Imports Databento's order-by-order records of one instrument.
 *
 * A fill reduces the resting order. The cancel or change that follows it at the same time repeats
 * the reduction and is absorbed. A clear deletes every order at its own time. A snapshot gets the
 * time of its receipt, since its records have the times at which the orders last changed. Records
 * of a book that may be wrong, because the channel was lost, come after a gap; the gap ends with
 * the first event without such records, or with a snapshot. The following is counted, since rows
 * cannot show it:
 *
 *   - a fill beyond the displayed volume took hidden volume: the order leaves the book, and when
 *     the exchange shows it again it is at the end of the queue (an iceberg's refill);
 *   - a change of price, or to more volume, loses its place: a delete and a create;
 *   - a trade without a fill took no displayed volume, and is skipped;
 *   - records of aggregated levels or of the top of the book are not orders, and are skipped;
 *   - before the opening the book is crossed, and the recording keeps it so; the index counts the
 *     messages after which it was.
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
import { greatestCommonDivisor } from './order-flow-profile.ts';

const lastFlag = 128;
const snapshotFlag = 32;
/** Top of the book, and aggregated level. */
const notOrderFlags = 64 | 16;
const maybeBadBookFlag = 4;
const priceDecimals = 9;
const undefinedPrice = 2n ** 63n - 1n;
const undefinedNanos = 2n ** 64n - 1n;

/**
 * Opens the file at `path`. Throws NotFoundError, DecodeError, or ConfigError if the file does not
 * hold exactly one instrument.
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

/** Reads the whole file to find the values for the header. */
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
      `${file.path}: must hold exactly one instrument, holds ${instruments.size}: ${[...instruments].slice(0, 10).join(', ')}`,
    );
  let priceScale = priceDecimals;
  while (priceScale > 0 && step % 10 ** (priceDecimals - priceScale + 1) === 0) priceScale--;
  return { dataset: file.dataset, step, priceScale };
}

/** Returns a price or a time as a number: exact within 2^53, which is a price of nine million. */
function asInteger(price: bigint): number {
  return Number.parseInt(price.toString(), 10);
}

type DisplayedOrder = { readonly side: Side; readonly price: Ticks; volume: Lots };

type Snapshot = {
  readonly orders: RestingOrder[];
  readonly atMicros: number;
  /** Its last record has come. */
  isComplete: boolean;
};

class DbnItems {
  readonly notes = {
    modifies: 0,
    resized: 0,
    nanosecondsCut: 0,
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
  readonly #orders = new Map<string, DisplayedOrder>();
  /** Volume of fills at the current time that no cancel or change has repeated yet, by order id. */
  readonly #filled = new Map<string, Lots>();
  #takerId: string | undefined;
  /** The last trade has no fill yet. */
  #isUnfilled = false;
  #event: FlowRow[] = [];
  #isInEvent = false;
  #hasCleared = false;
  #isMaybeBad = false;
  /** The gap before an event of a possibly wrong book has not ended. */
  #isLost = false;
  #snapshot: Snapshot | undefined;
  #items: FlowItem[] = [];
  #lastMicros = 0;
  /** The time of the last item. */
  #itemMicros = 0;

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
    // A record without an action may be part of a snapshot but must not begin one.
    const isPart = action === 'R' || action === 'A' || (action === 'N' && this.#snapshot);
    if ((flags & snapshotFlag) !== 0 && isPart) {
      this.#takeSnapshot(record);
      return;
    }
    const received = record.receivedNanos;
    const nanos = record.eventNanos === undefinedNanos ? received : record.eventNanos;
    const atMicros = asInteger(nanos / 1_000n);
    if (nanos % 1_000n !== 0n) this.notes.nanosecondsCut++;
    if (atMicros !== this.#lastMicros) {
      // A clear may lack the flag that ends its event.
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

  #change(record: DbnRecord, base: RowBase): void {
    switch (record.action) {
      case 'T':
        this.#endTrade();
        this.#isUnfilled = true;
        this.#takerId = record.orderId;
        return;
      case 'F':
        this.#fill(record, base);
        return;
      case 'A':
        this.#add(record, base);
        return;
      case 'C':
        this.#cancel(record, base);
        return;
      case 'M':
        this.#modify(record, base);
        return;
      case 'R':
        this.#clear(base);
        return;
      case 'N':
        return;
      default:
        throw new DecodeError(
          `${this.#file.path}: action of order ${record.orderId} must be A, C, M, T, F, R or N, was ${record.action}`,
        );
    }
  }

  /** Takes one record of a snapshot, which need not begin with a clear. */
  #takeSnapshot(record: DbnRecord): void {
    if (this.#snapshot?.isComplete) this.#endSnapshot(Infinity);
    if (record.action === 'R') this.notes.clears++;
    if (record.action === 'R' || this.#snapshot === undefined) {
      this.#endEvent();
      this.#orders.clear();
      const atMicros = asInteger(record.receivedNanos / 1_000n);
      this.#snapshot = { orders: [], atMicros, isComplete: false };
    }
    const order = record.action === 'A' ? this.#orderOf(record) : undefined;
    if (order !== undefined) {
      this.#orders.set(order.id, { ...order });
      this.#snapshot.orders.push(order);
    }
    if ((record.flags & lastFlag) !== 0) this.#snapshot.isComplete = true;
  }

  /** Emits the snapshot, if there is one, at its time or at `nextMicros`, whichever is earlier. */
  #endSnapshot(nextMicros: number): void {
    if (this.#snapshot === undefined) return;
    const { orders, atMicros } = this.#snapshot;
    const rank = (order: RestingOrder): number =>
      order.side === 'BID' ? -order.price : order.price;
    const sideOf = (side: Side) =>
      orders.filter((order) => order.side === side).sort((a, b) => rank(a) - rank(b));
    this.#itemMicros = Math.max(this.#itemMicros, Math.min(atMicros, nextMicros));
    this.#items.push({
      kind: 'snapshot',
      atMicros: this.#itemMicros,
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
    const endsGap = this.#isLost && !this.#isMaybeBad;
    if (this.#isMaybeBad && !this.#isLost)
      this.#items.push({ kind: 'gap', atMicros: this.#itemMicros });
    this.#isLost = this.#isMaybeBad;
    this.#itemMicros = Math.max(this.#itemMicros, this.#lastMicros);
    const last = this.#event.pop();
    // One by one: a clear of a large book has more rows than a call can have arguments.
    for (const row of this.#event) this.#items.push(row);
    if (last !== undefined) this.#items.push({ ...last, endsMessage: !endsGap });
    if (endsGap) this.#items.push({ kind: 'status', atMicros: this.#itemMicros, status: 'ACTIVE' });
    this.#event = [];
    this.#hasCleared = false;
    this.#isMaybeBad = false;
    this.#takerId = undefined;
  }

  #endTrade(): void {
    if (this.#isUnfilled) this.notes.tradesWithoutFill++;
    this.#isUnfilled = false;
  }

  #clear(base: RowBase): void {
    this.notes.clears++;
    for (const id of this.#orders.keys()) this.#event.push({ ...base, kind: 'delete', id });
    this.#orders.clear();
    this.#hasCleared = true;
  }

  #fill(record: DbnRecord, base: RowBase): void {
    this.#isUnfilled = false;
    const { orderId: makerId } = record;
    const maker = this.#orders.get(makerId);
    const price = maker?.price ?? this.#ticks(record.price);
    const volume = this.#lots(record.size);
    if (price === undefined || volume === 0) return;
    const makerSide = maker?.side ?? sideOf(record) ?? 'BID';
    const takerId = this.#takerId;
    this.#event.push({ ...base, kind: 'trade', makerId, takerId, makerSide, price, volume });
    if (maker === undefined) return;
    if (volume > maker.volume) this.notes.hiddenTrades++;
    maker.volume = lotsLeft(maker.volume, volume);
    this.#filled.set(makerId, addLots(this.#filled.get(makerId) ?? noLots, volume));
    if (maker.volume === 0) this.#orders.delete(makerId);
  }

  #add(record: DbnRecord, base: RowBase): void {
    const order = this.#orderOf(record);
    if (order === undefined) return;
    this.#filled.delete(order.id);
    this.#orders.set(order.id, { ...order });
    this.#event.push({ ...base, kind: 'create', ...order });
  }

  #cancel(record: DbnRecord, base: RowBase): void {
    const { orderId: id } = record;
    const known = this.#orders.get(id);
    const filled = this.#filled.get(id);
    const volume = this.#lots(record.size);
    const cancelled = lotsLeft(volume, filled ?? noLots);
    if (filled !== undefined) {
      this.#filled.set(id, lotsLeft(filled, volume));
      if (known === undefined || cancelled === 0) {
        this.notes.absorbed++;
        return;
      }
    }
    const left = lotsLeft(known?.volume ?? noLots, cancelled);
    if (known !== undefined && left > 0) {
      this.notes.partialCancels++;
      known.volume = left;
      this.#event.push({ ...base, kind: 'resize', id, volume: left });
      return;
    }
    this.#orders.delete(id);
    this.#event.push({ ...base, kind: 'delete', id });
  }

  #modify(record: DbnRecord, base: RowBase): void {
    this.notes.modifies++;
    const order = this.#orderOf(record);
    if (order === undefined) return;
    const { id, side, price, volume } = order;
    const known = this.#orders.get(id);
    this.#filled.delete(id);
    if (known === undefined) {
      this.notes.refills++;
    } else if (known.price === price && known.side === side && volume <= known.volume) {
      if (volume === known.volume) {
        this.notes.absorbed++;
        return;
      }
      this.notes.resized++;
      known.volume = volume;
      this.#event.push({ ...base, kind: 'resize', id, volume });
      return;
    } else {
      this.notes.requeued++;
      this.#event.push({ ...base, kind: 'delete', id });
    }
    this.#orders.set(id, { ...order });
    this.#event.push({ ...base, kind: 'create', ...order });
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
    // Not checked here: the book refuses a volume that is too large, and its error names the row.
    return (size * this.#lot) as Lots;
  }
}

type RowBase = Pick<FlowRow, 'atMicros' | 'sequence' | 'endsMessage'> & {
  readonly delayMicros: number;
};

function sideOf({ side }: DbnRecord): Side | undefined {
  return side === 'B' ? 'BID' : side === 'A' ? 'ASK' : undefined;
}
