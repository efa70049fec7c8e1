/**
 * Imports CSV files of orders, trades or candles; the first line names the columns.
 *
 *     orders   time_us,action,order_id,side,price,volume,taker_id,end
 *              action: resting (before all others), create, delete, trade, resize, status, gap
 *              side: bid or ask; for a trade the maker's side; for a status its name
 *              taker_id: may be empty
 *              end: 0 if the next line belongs to the same message, else 1 (the default)
 *              a delete needs only the id
 *              a resize needs the id and the new volume, and may have a new price; it keeps its
 *              place unless the volume grows or the price changes
 *              after a gap, the lines of the first time must correct the book
 *     trades   time_us,price,volume,side       side: buy or sell, the taker's side
 *     candles  time_us,open,high,low,close,volume
 *
 * `millrace export` writes the same format.
 */
import { isOrderId } from '../../domain/book-message.ts';
import { DecodeError } from '../../domain/errors.ts';
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { statuses } from '../../market/flow/flow-block.ts';
import type { OrderResized } from '../../market/flow/order-flow-row.ts';
import type { BareTrade, Candle, FlowItem, Grade, RestingOrder } from '../file/flow-item.ts';
import { type FlowSource, importedMarket, sourceFileOf } from '../file/flow-source.ts';
import { CsvAmounts } from './csv-amounts.ts';
import { type CsvRow, csvRows } from './csv-file.ts';
import { GapCloser, type TableItem } from './gap-closer.ts';
import type { ImportOptions } from './import-ndjson.ts';

const sides: Readonly<Record<string, Side>> = { bid: 'BID', ask: 'ASK' };
const makerSides: Readonly<Record<string, Side>> = { buy: 'ASK', sell: 'BID' };
const amountColumns = {
  order: ['price', 'volume'],
  trades: ['price', 'volume'],
  candles: ['open', 'high', 'low', 'close', 'volume'],
} as const;
const needed: Readonly<Record<Grade, readonly string[]>> = {
  order: ['action', 'order_id', 'side', 'price', 'volume'],
  trades: ['price', 'volume', 'side'],
  candles: ['open', 'high', 'low', 'close', 'volume'],
};

/** A file, and the number of bytes to read of it. */
type CsvFile = { readonly path: string; readonly bytes: number };

/** Opens a file. Throws NotFoundError, or DecodeError with file and line. */
export async function importCsv(
  path: string,
  grade: Grade,
  options: ImportOptions,
): Promise<FlowSource> {
  const { base, counter } = options;
  const source = await sourceFileOf(path);
  const file = { path, bytes: source.bytes };
  const finest = await finestOf(file, grade);
  const market = importedMarket({
    base,
    counter,
    priceScale: options.priceScale ?? finest.price.decimals,
    volumeScale: options.volumeScale ?? finest.volume.decimals,
    why: [
      ...(options.priceScale === undefined ? [finest.price.text] : []),
      ...(options.volumeScale === undefined ? [finest.volume.text] : []),
    ].join('; '),
  });
  const amounts = new CsvAmounts(market, {
    isRounded: options.round === true,
    why: {
      price: options.priceScale === undefined ? finest.price.text : '',
      volume: options.volumeScale === undefined ? finest.volume.text : '',
    },
  });
  const reader = new CsvItems(file, grade, amounts);
  return {
    header: {
      grade,
      market,
      venue: '',
      format: `csv-${grade}`,
      sources: [source],
      tick: 1,
      lot: 1,
    },
    resting: grade === 'order' ? await reader.resting() : [],
    items: reader.items(),
    get notes() {
      return { roundedAmounts: amounts.rounded, nanosecondsCut: reader.timesCut };
    },
  };
}

/** Returns the number of decimals that the file's amounts need, and which cell needs them. */
async function finestOf(file: CsvFile, grade: Grade) {
  const finest = { price: { decimals: 0, text: '' }, volume: { decimals: 0, text: '' } };
  for await (const rows of csvRows(file, needed[grade]))
    for (const row of rows)
      for (const name of amountColumns[grade]) {
        const decimals = (row.text(name).split('.')[1] ?? '').replace(/0+$/u, '').length;
        const scale = name === 'volume' ? 'volume' : 'price';
        if (decimals > finest[scale].decimals)
          finest[scale] = { decimals, text: cellText(row, name, decimals) };
      }
  return finest;
}

function cellText(row: CsvRow, name: string, decimals: number): string {
  return `${row.where}: ${name} "${row.text(name).slice(0, 80)}" has ${decimals} decimals`;
}

class CsvItems {
  readonly #file: CsvFile;
  readonly #grade: Grade;
  readonly #amounts: CsvAmounts;
  /** Number of times with digits below a microsecond, which were left out. */
  timesCut = 0;

  constructor(file: CsvFile, grade: Grade, amounts: CsvAmounts) {
    this.#file = file;
    this.#grade = grade;
    this.#amounts = amounts;
  }

  /** Returns the resting orders, which are the first lines. */
  async resting(): Promise<readonly RestingOrder[]> {
    const orders: RestingOrder[] = [];
    for await (const rows of csvRows(this.#file, needed.order))
      for (const row of rows) {
        if (row.text('action') !== 'resting') return orders;
        orders.push(this.#order(row));
      }
    return orders;
  }

  async *items(): AsyncGenerator<readonly FlowItem[], void> {
    let lastMicros = Number.NEGATIVE_INFINITY;
    let [hasRows, hasBegun] = [false, false];
    const gapCloser = new GapCloser();
    for await (const rows of csvRows(this.#file, needed[this.#grade])) {
      const items: FlowItem[] = [];
      for (const row of rows) {
        hasRows = true;
        const isResting = this.#grade === 'order' && row.text('action') === 'resting';
        if (isResting && hasBegun)
          throw new DecodeError(`${row.where}: resting orders must be before all other lines`);
        if (isResting) continue;
        hasBegun = true;
        if (row.isTimeCut) this.timesCut++;
        const item = this.#grade === 'order' ? this.#flow(row) : this.#coarse(row);
        if (item.atMicros < lastMicros)
          throw new DecodeError(
            `${row.where}: time must not go back from ${lastMicros} us, was ${item.atMicros}`,
          );
        if (item.kind === 'candle' && item.atMicros === lastMicros)
          throw new DecodeError(`${row.where}: this is the second candle of ${lastMicros} us`);
        lastMicros = item.atMicros;
        if (item.kind === 'candle' || item.kind === 'bare-trade') items.push(item);
        else for (const ready of gapCloser.take(item)) items.push(ready);
      }
      yield items;
    }
    yield gapCloser.rest();
    // A file with only resting orders is allowed: its book can be looked at.
    if (!hasRows) {
      const what = this.#grade === 'order' ? 'order flow' : this.#grade;
      throw new DecodeError(`${this.#file.path}: has no ${what} after its first line`);
    }
  }

  #coarse(row: CsvRow): BareTrade | Candle {
    return this.#grade === 'trades' ? this.#bareTrade(row) : this.#candle(row);
  }

  #bareTrade(row: CsvRow): BareTrade {
    const makerSide = row.oneOf('side', makerSides);
    const [price, volume] = [this.#positivePrice(row, 'price'), this.#volume(row)];
    return { kind: 'bare-trade', atMicros: row.micros(), makerSide, price, volume };
  }

  #candle(row: CsvRow): Candle {
    const [open, high, low, close] = (['open', 'high', 'low', 'close'] as const).map((name) =>
      this.#positivePrice(row, name),
    ) as [Ticks, Ticks, Ticks, Ticks];
    if (high < Math.max(open, close)) throw row.wrong('high', 'at or above all other prices');
    if (low > Math.min(open, close)) throw row.wrong('low', 'at or below all other prices');
    const volume = this.#lots(row);
    if (volume < 0) throw row.wrong('volume', 'a decimal of 0 or more');
    return { kind: 'candle', atMicros: row.micros(), open, high, low, close, volume };
  }

  #flow(row: CsvRow): TableItem {
    const atMicros = row.micros();
    const end = row.text('end');
    if (!['', '0', '1'].includes(end)) throw row.wrong('end', '0 or 1');
    const base = { atMicros, sequence: 0, endsMessage: end !== '0' };
    switch (row.text('action')) {
      case 'create':
        return { ...base, kind: 'create', ...this.#order(row) };
      case 'delete':
        return { ...base, kind: 'delete', id: this.#id(row) };
      case 'resize':
        return { ...base, kind: 'resize', id: this.#id(row), ...this.#resized(row) };
      case 'trade': {
        const makerId = this.#optionalId(row, 'order_id');
        const takerId = this.#optionalId(row, 'taker_id');
        const makerSide = row.oneOf('side', sides);
        const [price, volume] = [this.#price(row, 'price'), this.#volume(row)];
        return {
          ...base,
          kind: 'trade',
          makerId,
          takerId: takerId || undefined,
          makerSide,
          price,
          volume,
        };
      }
      case 'gap':
        return { kind: 'gap', atMicros };
      case 'status': {
        const status = statuses.find((name) => name === row.text('side'));
        if (status === undefined) throw row.wrong('side', statuses.join(', '));
        return { kind: 'status', atMicros, status };
      }
      default:
        throw row.wrong('action', 'resting, create, delete, trade, resize, status or gap');
    }
  }

  #resized(row: CsvRow): Pick<OrderResized, 'price' | 'volume'> {
    const price = row.text('price') === '' ? undefined : this.#price(row, 'price');
    return { price, volume: this.#volume(row) };
  }

  #order(row: CsvRow): RestingOrder {
    const side = row.oneOf('side', sides);
    return { id: this.#id(row), side, price: this.#price(row, 'price'), volume: this.#volume(row) };
  }

  #id(row: CsvRow): string {
    const id = this.#optionalId(row, 'order_id');
    if (id === '') throw row.wrong('order_id', 'text');
    return id;
  }

  /** Returns an id that may be empty. */
  #optionalId(row: CsvRow, name: string): string {
    const id = row.text(name);
    if (!isOrderId(id)) throw row.wrong(name, 'text without control characters');
    return id;
  }

  #price(row: CsvRow, name: string): Ticks {
    return this.#amounts.price(row, name);
  }

  /** Coarse data has no book that could confirm a price of zero or less. */
  #positivePrice(row: CsvRow, name: string): Ticks {
    const price = this.#price(row, name);
    if (price <= 0) throw row.wrong(name, 'above 0');
    return price;
  }

  #volume(row: CsvRow): Lots {
    const volume = this.#lots(row);
    if (volume <= 0) throw row.wrong('volume', 'above 0');
    return volume;
  }

  #lots(row: CsvRow): Lots {
    return this.#amounts.volume(row);
  }
}
