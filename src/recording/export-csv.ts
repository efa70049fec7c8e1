/** Writes a recording as comma-separated text, in the columns that import-csv.ts reads. */
import { formatLots, formatTicks, type Market } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { Book } from '../market/book.ts';
import { rowKind, statuses } from '../market/flow-block.ts';
import { applyFlow, loadResting } from '../market/flow-columns-book.ts';
import { FlowCursor } from '../market/flow-cursor.ts';
import type { Recording } from './recording.ts';

const titles = {
  order: 'time_us,action,order_id,side,price,volume,taker_id,end',
  trades: 'time_us,price,volume,side',
  candles: 'time_us,open,high,low,close,volume',
} as const;
const actions = ['create', 'delete', 'trade', 'resize', 'status', 'gap'] as const;

/** Yields the text in pieces, with memory for one block. Throws DecodeError for damage. */
export function* exportCsv(recording: Recording): Generator<string, void> {
  const { header, index } = recording;
  yield `${titles[header.grade]}\n`;
  const exporter = new CsvExporter(header.market, recording);
  if (header.grade === 'order') yield exporter.resting();
  for (const entry of index.blocks) {
    const lines: string[] = [];
    const ids = recording.ids(entry)[Symbol.iterator]();
    const cursor = new FlowCursor();
    cursor.load(recording.block(entry));
    while (cursor.next()) lines.push(exporter.line(cursor, ids));
    yield lines.join('');
  }
}

class CsvExporter {
  readonly #market: Market;
  readonly #recording: Recording;
  readonly #book = new Book();
  /** Ids by slot. */
  readonly #ids: string[] = [];

  constructor(market: Market, recording: Recording) {
    this.#market = market;
    this.#recording = recording;
  }

  /** The book when the recording begins. */
  resting(): string {
    const first = this.#recording.index.blocks[0];
    if (first === undefined) return '';
    const { resting, ids } = this.#recording.checkpoint(first.checkpoint);
    loadResting(this.#book, resting);
    const lines: string[] = [];
    for (const [index, slot] of resting.slots.entries()) {
      this.#ids[slot] = ids[index] ?? '';
      const side = index < resting.bids ? 'bid' : 'ask';
      const amounts = this.#amounts(resting.prices[index] ?? 0, resting.volumes[index] ?? 0);
      lines.push(`${first.firstMicros},resting,${this.#ids[slot]},${side},${amounts},,1\n`);
    }
    return lines.join('');
  }

  line(row: FlowCursor, ids: Iterator<string>): string {
    if (row.kind === rowKind.candle) return this.#candle(row);
    const { grade } = this.#recording.header;
    if (grade === 'trades')
      return `${row.atMicros},${this.#amounts(row.price, row.volume)},${row.isAsk ? 'buy' : 'sell'}\n`;
    const { book } = this;
    const action = actions[row.kind] ?? '';
    const end = row.endsMessage ? 1 : 0;
    if (row.kind >= rowKind.status) {
      const status = row.kind === rowKind.status ? statuses[row.slot] : '';
      return `${row.atMicros},${action},,${status},,,,${end}\n`;
    }
    const { id, takerId } = this.#idsOf(row, ids);
    const isKnown = book.has(row.slot);
    const side = (
      isKnown && row.kind !== rowKind.create
        ? book.sideOf(row.slot) === 'ASK'
        : row.isAsk
    )
      ? 'ask'
      : 'bid';
    const hasPrice = row.kind === rowKind.create || row.kind === rowKind.trade;
    const ticks =
      row.kind === rowKind.create || row.isPriced || !isKnown ? row.price : book.priceOf(row.slot);
    const price = hasPrice ? formatTicks(ticks as Ticks, this.#market) : '';
    const volume = row.kind === rowKind.delete ? '' : formatLots(row.volume as Lots, this.#market);
    applyFlow(book, row);
    if (row.kind === rowKind.create) this.#ids[row.slot] = id;
    return `${row.atMicros},${action},${id},${side},${price},${volume},${takerId},${end}\n`;
  }

  get book(): Book {
    return this.#book;
  }

  /** Takes the row's id from the side section, if it has one there. */
  #idsOf(
    row: FlowCursor,
    ids: Iterator<string>,
  ): { readonly id: string; readonly takerId: string } {
    const known = this.#ids[row.slot] ?? '';
    if (row.kind === rowKind.trade) {
      const [takerId = '', makerId = known] = String(ids.next().value ?? '').split('\t');
      return { id: makerId, takerId };
    }
    const isTold = row.kind === rowKind.create || row.slot === 0;
    return { id: isTold ? String(ids.next().value ?? '') : known, takerId: '' };
  }

  #candle(row: FlowCursor): string {
    const [open, high, low, close, volume] = row.takeCandle();
    const prices = [open, high, low, close].map((price) =>
      formatTicks(price as Ticks, this.#market),
    );
    return `${row.atMicros},${prices.join(',')},${formatLots(volume as Lots, this.#market)}\n`;
  }

  #amounts(price: number, volume: number): string {
    return `${formatTicks(price as Ticks, this.#market)},${formatLots(volume as Lots, this.#market)}`;
  }
}
