/**
 * The part of an NDJSON data set that a scenario plays: the book at its beginning, and the rows
 * after it.
 *
 * The part begins and ends between two messages, so the rows of a message stay together.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BookOrder, BookSnapshot } from '../../domain/book-message.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import { formatLots, formatTicks, type Market, type Side } from '../../domain/market.ts';
import type { ScenarioMarket, ScenarioSettings } from '../../domain/scenario-settings.ts';
import { IdentifiedBook } from '../../market/book/identified-book.ts';
import { applyFlowRow, loadSnapshot } from '../../market/book/order-flow-book.ts';
import type { FlowOrder, FlowSnapshot, OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import { sourceFileOf } from '../../recording/file/flow-source.ts';
import { OrderFlowReader, readFlowSnapshot } from '../../recording/import/order-flow-reader.ts';
import type { PlayedRecording } from './played-data.ts';

export type RecordedFlow = {
  readonly start: FlowSnapshot;
  readonly startMicros: number;
  /** Iterate once. */
  readonly batches: AsyncIterable<readonly OrderFlowRow[]>;
  /** The end, known after all batches: the scenario's `to` if the data set continues beyond it. */
  readonly endMicros: (lastRowMicros: number) => number;
  readonly recording: PlayedRecording;
};

type Scope = Pick<ScenarioSettings, 'fromMs' | 'toMs'> & {
  readonly market: Market;
  readonly data: Extract<ScenarioMarket['data'], { kind: 'order-flow-ndjson' }>;
};

/**
 * Opens the scenario's data set in `dataFolder`. Throws {@link NotFoundError} for missing files,
 * DecodeError for malformed ones, and {@link ConfigError} if there are no rows in the scenario's
 * time.
 */
export async function openRecordedFlow(scope: Scope, dataFolder: string): Promise<RecordedFlow> {
  const { data, market, fromMs, toMs } = scope;
  const [snapshotPath, eventsPath] = [data.snapshot, data.events].map((file) =>
    join(dataFolder, data.set, file),
  ) as [string, string];
  for (const path of [snapshotPath, eventsPath])
    if (!existsSync(path))
      throw new NotFoundError(
        `${path} does not exist: the scenario plays the data set ${data.set}; ` +
          `put its folder into ${dataFolder}, or set MILLRACE_DATA to the folder that contains it`,
      );
  const recording: PlayedRecording = {
    path: join(dataFolder, data.set),
    grade: 'order',
    from: null,
    to: null,
    hash: null,
    sources: [await sourceFileOf(snapshotPath), await sourceFileOf(eventsPath)],
    misfits: [],
  };
  const snapshot = await readFlowSnapshot(snapshotPath, market);
  const source = new OrderFlowReader(eventsPath, market).batches();
  const fromMicros = fromMs === undefined ? -Infinity : fromMs * 1000;
  const toMicros = toMs === undefined ? Infinity : toMs * 1000;

  const book = new IdentifiedBook();
  loadSnapshot(book, snapshot);
  let isBetween = true;
  let isFirst = true;
  let isCut = false;
  const endMicros = (lastRowMicros: number): number =>
    isCut ? Math.max(toMicros, lastRowMicros) : lastRowMicros;
  for (;;) {
    const next = await source.next();
    if (next.done === true) throw nothingIn(eventsPath);
    for (const [index, row] of next.value.entries()) {
      if (isBetween && row.atMicros >= fromMicros) {
        const start = { bids: restingOrders(book, 'BID'), asks: restingOrders(book, 'ASK') };
        if (isFirst && row.atMicros > toMicros) throw nothingIn(eventsPath);
        // The data set begins with its first row: the book before that is unknown.
        const startMicros = isFirst ? Math.max(fromMicros, row.atMicros) : fromMicros;
        const first = next.value.slice(index);
        const batches = rowsUntil(first, source, toMicros, () => {
          isCut = true;
        });
        return { start, startMicros, batches, endMicros, recording };
      }
      applyFlowRow(book, row);
      isFirst = false;
      isBetween = row.endsMessage;
    }
  }
}

function nothingIn(path: string): ConfigError {
  return new ConfigError(`${path}: has no rows between the scenario's from and to`);
}

/** Returns the book at the start as a snapshot of the market stream. */
export function snapshotOf(flow: RecordedFlow, market: Market): BookSnapshot {
  const written = ({ id, price, volume }: FlowOrder): BookOrder => ({
    id,
    price: formatTicks(price, market),
    volume: formatLots(volume, market),
  });
  return {
    sequence: '0',
    bids: flow.start.bids.map(written),
    asks: flow.start.asks.map(written),
    status: 'ACTIVE',
    timestamp: Math.floor(flow.startMicros / 1000),
  };
}

function restingOrders(orders: IdentifiedBook, side: Side): readonly FlowOrder[] {
  return orders.book.levels(side).flatMap(({ price }) => orders.ordersAt(side, price));
}

async function* rowsUntil(
  first: readonly OrderFlowRow[],
  rest: AsyncGenerator<readonly OrderFlowRow[], void>,
  toMicros: number,
  onCut: () => void,
): AsyncGenerator<readonly OrderFlowRow[], void> {
  let isBetween = true;
  for (let rows: readonly OrderFlowRow[] | undefined = first; rows !== undefined; ) {
    const end = rows.findIndex((row, index) => {
      const before = index === 0 ? isBetween : rows?.[index - 1]?.endsMessage === true;
      return before && row.atMicros > toMicros;
    });
    if (end !== -1) {
      onCut();
      yield rows.slice(0, end);
      await rest.return();
      return;
    }
    yield rows;
    isBetween = rows.at(-1)?.endsMessage ?? isBetween;
    const next = await rest.next();
    rows = next.done === true ? undefined : next.value;
  }
}
