/**
 * How much faster the book is than a Map-and-decimal.js one, on the same events in the same run,
 * each reading the best price and volume of both sides after every event.
 *
 * Three ways, interleaved, the median of several rounds:
 *
 *   - slots: integers and slots in columns, as a compiled recording holds them;
 *   - ids: the same integers with string ids through the id table, as live trading has them;
 *   - decimal: string ids and decimal text.
 *
 * Before that, sums over every top of the book must be equal, or nothing was measured.
 */
import type { Side } from '../../src/domain/market.ts';
import {
  type Decimal,
  formatScaled,
  type Lots,
  parseScaled,
  type Ticks,
} from '../../src/domain/money.ts';
import { Book } from '../../src/market/book/book.ts';
import { IdentifiedBook } from '../../src/market/book/identified-book.ts';
import type { BookChange } from './book-flow.ts';
import { DecimalBook } from './decimal-book.ts';
import { MatchedFlow } from './matched-flow.ts';

export type SpeedFigures = {
  readonly speedEvents: number;
  /** Slots against decimal. */
  readonly speedRatio: number;
  /** Ids against decimal. */
  readonly speedRatioIds: number;
  readonly bookEventsPerSecond: number;
  readonly decimalEventsPerSecond: number;
  readonly speedSumsEqual: boolean;
};

const priceScale = 2;
const volumeScale = 4;
const kinds = { create: 0, remove: 1, reduce: 2 } as const;

type Columns = {
  readonly kind: Uint8Array;
  readonly side: Uint8Array;
  readonly slot: Int32Array;
  readonly price: Float64Array;
  readonly volume: Float64Array;
};
type TextChange = {
  readonly kind: BookChange['kind'];
  readonly id: string;
  readonly side: Side;
  readonly price: string;
  readonly volume: string;
};

/** Measures `events` events with about 20,000 resting orders in each of `rounds` rounds. */
export function measureSpeed(events: number, rounds: number): SpeedFigures {
  const flow = new MatchedFlow({ seed: 7, ordersAim: 20_000 });
  const changes = flow.changes(events);
  const columns = compile(changes);
  const texts = changes.map(textOf);
  const sum = runDecimals(texts, checkDecimal);
  const speedSumsEqual = runSlots(columns, checkFast) === sum && runIds(changes, checkFast) === sum;
  const slots: number[] = [];
  const ids: number[] = [];
  const decimals: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // The fast ones run several times, or their time would be too short to measure.
    for (let again = 0; again < 5; again++) slots.push(time(() => runSlots(columns, readFast)));
    for (let again = 0; again < 2; again++) ids.push(time(() => runIds(changes, readFast)));
    decimals.push(time(() => runDecimals(texts, readDecimal)));
  }
  const slotMs = median(slots);
  const decimalMs = median(decimals);
  return {
    speedEvents: events,
    speedRatio: rounded(decimalMs / slotMs),
    speedRatioIds: rounded(decimalMs / median(ids)),
    bookEventsPerSecond: Math.round((events / slotMs) * 1_000),
    decimalEventsPerSecond: Math.round((events / decimalMs) * 1_000),
    speedSumsEqual,
  };
}

/** Processor time, so that other work on the machine counts little. */
function time(run: () => number): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function rounded(ratio: number): number {
  return Math.round(ratio * 10) / 10;
}

/** Resolves ids to slots, as compiling a recording does. */
function compile(changes: readonly BookChange[]): Columns {
  const { length } = changes;
  const columns = {
    kind: new Uint8Array(length),
    side: new Uint8Array(length),
    slot: new Int32Array(length),
    price: new Float64Array(length),
    volume: new Float64Array(length),
  };
  const target = new IdentifiedBook();
  changes.forEach((change, index) => {
    columns.kind[index] = kinds[change.kind];
    if (change.kind !== 'remove') columns.volume[index] = change.volume;
    if (change.kind === 'create') {
      columns.side[index] = change.side === 'BID' ? 0 : 1;
      columns.price[index] = change.price;
    }
    columns.slot[index] = applyById(target, change);
  });
  return columns;
}

function applyById(target: IdentifiedBook, change: BookChange): number {
  if (change.kind === 'create')
    return target.create(change.id, change.side, change.price as Ticks, change.volume as Lots);
  const slot = target.slotOf(change.id);
  if (change.kind === 'remove') target.remove(slot);
  else target.reduce(slot, change.volume as Lots);
  return slot;
}

function textOf(change: BookChange): TextChange {
  return {
    kind: change.kind,
    id: change.id,
    side: change.kind === 'create' ? change.side : 'BID',
    price: change.kind === 'create' ? formatScaled(change.price, priceScale) : '',
    volume: change.kind === 'remove' ? '' : formatScaled(change.volume, volumeScale),
  };
}

/** Reads the top of the book after an event and folds it into a sum. */
type Reader<Target> = (sum: number, book: Target) => number;

/** Costs next to nothing. */
const readFast: Reader<Book> = (sum, book) =>
  sum +
  (book.bestPrice('BID') ?? 0) +
  book.bestVolume('BID') +
  (book.bestPrice('ASK') ?? 0) +
  book.bestVolume('ASK');

const checkFast: Reader<Book> = (sum, book) => {
  const withBid = mix(sum, book.bestPrice('BID') ?? 0, book.bestVolume('BID'));
  return mix(withBid, book.bestPrice('ASK') ?? 0, book.bestVolume('ASK'));
};

/** Leaves the decimals as they are: turning them into numbers would not be the book's fault. */
const readDecimal: Reader<DecimalBook> = (sum, book) =>
  sum +
  (book.best('BID')?.volume.isPositive() ? 1 : 0) +
  (book.best('ASK')?.volume.isPositive() ? 1 : 0);

const checkDecimal: Reader<DecimalBook> = (sum, book) => {
  const bid = book.best('BID');
  const ask = book.best('ASK');
  const withBid = mix(sum, scaled(bid?.price, priceScale), scaled(bid?.volume, volumeScale));
  return mix(withBid, scaled(ask?.price, priceScale), scaled(ask?.volume, volumeScale));
};

function mix(sum: number, price: number, volume: number): number {
  return (sum * 31 + price + volume) % 1_000_003;
}

function scaled(value: Decimal | undefined, scale: number): number {
  return value === undefined ? 0 : (parseScaled(value.toFixed(scale), scale) ?? Number.NaN);
}

function runSlots(columns: Columns, read: Reader<Book>): number {
  const { kind, side, slot, price, volume } = columns;
  const book = new Book();
  let sum = 0;
  for (let index = 0; index < kind.length; index++) {
    if (kind[index] === kinds.create)
      book.create(side[index] === 0 ? 'BID' : 'ASK', price[index] as Ticks, volume[index] as Lots);
    else if (kind[index] === kinds.remove) book.remove(slot[index] as number);
    else book.reduce(slot[index] as number, volume[index] as Lots);
    sum = read(sum, book);
  }
  return sum;
}

function runIds(changes: readonly BookChange[], read: Reader<Book>): number {
  const target = new IdentifiedBook();
  let sum = 0;
  for (const change of changes) {
    applyById(target, change);
    sum = read(sum, target.book);
  }
  return sum;
}

function runDecimals(changes: readonly TextChange[], read: Reader<DecimalBook>): number {
  const book = new DecimalBook();
  let sum = 0;
  for (const change of changes) {
    if (change.kind === 'create') book.create(change.id, change.side, change.price, change.volume);
    else if (change.kind === 'remove') book.remove(change.id);
    else book.reduce(change.id, change.volume);
    sum = read(sum, book);
  }
  return sum;
}
