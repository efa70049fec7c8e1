/**
 * A recording as rows of a table, in the columns that import-csv.ts reads. All export formats use
 * it. Prices are in ticks, volumes in lots.
 */
import { DecodeError } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import { Book } from '../../market/book/book.ts';
import { applyFlow, loadResting } from '../../market/book/flow-columns-book.ts';
import { rowKind, statuses } from '../../market/flow/flow-block.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { Grade } from '../file/flow-item.ts';
import type { Recording } from '../file/recording.ts';

export type ExportColumn = {
  readonly name: string;
  /** A time is in microseconds since the epoch. */
  readonly kind: 'time' | 'text' | 'price' | 'volume' | 'flag';
};

/** One value for each column; undefined where there is no value. */
export type ExportRow = readonly (number | string | boolean | undefined)[];

const column = (name: string, kind: ExportColumn['kind']): ExportColumn => ({ name, kind });

export const exportColumns: Readonly<Record<Grade, readonly ExportColumn[]>> = {
  order: [
    column('time', 'time'),
    column('action', 'text'),
    column('order_id', 'text'),
    column('side', 'text'),
    column('price', 'price'),
    column('volume', 'volume'),
    column('taker_id', 'text'),
    column('end', 'flag'),
  ],
  trades: [
    column('time', 'time'),
    column('price', 'price'),
    column('volume', 'volume'),
    column('side', 'text'),
  ],
  candles: [
    column('time', 'time'),
    column('open', 'price'),
    column('high', 'price'),
    column('low', 'price'),
    column('close', 'price'),
    column('volume', 'volume'),
  ],
};

const actions = ['create', 'delete', 'trade', 'resize', 'status', 'gap'] as const;

/** Rows are made in slices of this size: a whole block of rows as objects takes 20 MB. */
const sliceRows = 4_096;

/** The input of an export format. */
export type ExportTable = {
  readonly market: Market;
  readonly columns: readonly ExportColumn[];
  /** Yields the rows in slices. Throws DecodeError for a damaged recording. */
  readonly rows: () => Generator<readonly ExportRow[], void>;
};

export function exportTableOf(recording: Recording): ExportTable {
  const { market, grade } = recording.header;
  return { market, columns: exportColumns[grade], rows: () => rowsOf(recording) };
}

function* rowsOf(recording: Recording): Generator<readonly ExportRow[], void> {
  const exporter = new RowExporter(recording);
  if (recording.header.grade === 'order') yield exporter.resting();
  for (const entry of recording.index.blocks) {
    let rows: ExportRow[] = [];
    const ids = recording.ids(entry)[Symbol.iterator]();
    const cursor = new FlowCursor();
    cursor.load(recording.block(entry));
    while (cursor.next()) {
      rows.push(exporter.row(cursor, ids));
      if (rows.length < sliceRows) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  }
}

class RowExporter {
  readonly #recording: Recording;
  readonly #book = new Book();
  readonly #ids: string[] = [];

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  resting(): readonly ExportRow[] {
    const { index, path } = this.#recording;
    const { resting, ids } = this.#recording.start();
    const [first] = index.blocks;
    if (first === undefined) {
      if (resting.slots.length === 0) return [];
      throw new DecodeError(
        `${path}: has ${resting.slots.length} resting orders but no rows, so the orders have no time, which each line of a table needs; ` +
          'make the recording from data with at least one row',
      );
    }
    loadResting(this.#book, resting);
    const rows: ExportRow[] = [];
    for (const [index, slot] of resting.slots.entries()) {
      const id = ids[index] ?? '';
      this.#ids[slot] = id;
      const side = index < resting.bids ? 'bid' : 'ask';
      const amounts = [resting.prices[index] ?? 0, resting.volumes[index] ?? 0];
      rows.push([first.firstMicros, 'resting', id, side, ...amounts, undefined, true]);
    }
    return rows;
  }

  row(row: FlowCursor, ids: Iterator<string>): ExportRow {
    if (row.kind === rowKind.candle) return [row.atMicros, ...row.candle()];
    if (this.#recording.header.grade === 'trades')
      return [row.atMicros, row.price, row.volume, row.isAsk ? 'buy' : 'sell'];
    const action = actions[row.kind];
    if (row.kind >= rowKind.status) {
      const status = row.kind === rowKind.status ? statuses[row.slot] : undefined;
      const nothing = undefined;
      return [row.atMicros, action, nothing, status, nothing, nothing, nothing, row.endsMessage];
    }
    return this.#orderRow(row, action, ids);
  }

  #orderRow(row: FlowCursor, action: string | undefined, ids: Iterator<string>): ExportRow {
    const book = this.#book;
    const { id, takerId } = this.#idsOf(row, ids);
    const isCreate = row.kind === rowKind.create;
    const isKnown = book.has(row.slot);
    const isAsk = isKnown && !isCreate ? book.sideOf(row.slot) === 'ASK' : row.isAsk;
    const hasPrice = isCreate || row.isPriced || !isKnown;
    const price =
      isCreate || row.kind === rowKind.trade
        ? hasPrice
          ? row.price
          : book.priceOf(row.slot)
        : undefined;
    const volume = row.kind === rowKind.delete ? undefined : row.volume;
    const { atMicros, endsMessage } = row;
    applyFlow(book, row);
    if (isCreate) this.#ids[row.slot] = id;
    const side = isAsk ? 'ask' : 'bid';
    return [atMicros, action, id, side, price, volume, takerId, endsMessage];
  }

  /** Takes the row's ids from the id section, if they are stored there. */
  #idsOf(
    row: FlowCursor,
    ids: Iterator<string>,
  ): { readonly id: string; readonly takerId: string | undefined } {
    const known = this.#ids[row.slot] ?? '';
    if (row.kind === rowKind.trade) {
      const [takerId, makerId = known] = String(ids.next().value ?? '').split('\t');
      return { id: makerId, takerId: takerId || undefined };
    }
    const isStored = row.kind === rowKind.create || row.slot === 0;
    return { id: isStored ? String(ids.next().value ?? '') : known, takerId: undefined };
  }
}
