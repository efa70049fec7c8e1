/**
 * Reads recorded order flow: a snapshot and events as gzipped JSON, one event per line.
 *
 *     snapshot.json.gz    {"bids":[{"id":"145987","price":"1808.080","volume":"82"},…],"asks":[…]}
 *     events.ndjson.gz    {"sequence":1,"timestamp":1675733400030,"type":"create","id":"212506",
 *                          "side":"ask","price":"1808.340","volume":"100"}
 *                         {"sequence":3,…,"type":"trade","makerId":"145987","takerId":"212618",
 *                          "takerSide":"sell","price":"1808.080","volume":"82"}
 *                         {"sequence":5,…,"type":"delete","id":"212506"}
 *
 * Memory does not grow with the file. A line that does not fit the format throws
 * {@link DecodeError} with file and line. Events that rows cannot express exactly are counted.
 *
 * A change of an order in place is a delete and a create marked `modify`; with `keepsPriority` the
 * two become one row, since the order keeps its place in the queue.
 */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { DecodeError } from '../../domain/errors.ts';
import type { Scales, Side } from '../../domain/market.ts';
import type { OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import type { RestingOrder } from '../file/flow-item.ts';
import { readGzipLines } from './gzip-lines.ts';
import { type FlowEvent, parseFlowEvent, parseFlowOrder } from './order-flow-event.ts';

export type FlowCounts = {
  rows: number;
  /** Changes that kept the order's place: one row instead of two events. */
  resized: number;
  /** Changes that lost the order's place: a delete and a create. */
  requeued: number;
  /** Creates marked `modify` without a delete before them: hidden volume displayed again. */
  refills: number;
  /** Trades that also took hidden volume, which a row does not include. */
  hiddenTrades: number;
  /** Times with digits below a microsecond, which were left out. */
  nanosecondsCut: number;
};

/**
 * Returns the orders of the snapshot in `path`: bids, then asks, in queue order within each price.
 * Throws {@link DecodeError} that names the file if it is malformed.
 */
export async function readFlowSnapshot(path: string, scales: Scales): Promise<RestingOrder[]> {
  const body = await readGzipJson(path);
  const ordersOf = (name: 'bids' | 'asks', side: Side): RestingOrder[] => {
    const orders = body[name];
    if (!Array.isArray(orders)) throw new DecodeError(`${path}: ${name} must be a list`);
    return orders.map((order: unknown, index) => ({
      ...parseFlowOrder(order, scales, `${path}: ${name}[${index}]`),
      side,
    }));
  };
  return [...ordersOf('bids', 'BID'), ...ordersOf('asks', 'ASK')];
}

/** Reads the events of one file as rows. Iterate once; `counts` is complete after the last row. */
export class OrderFlowReader implements AsyncIterable<OrderFlowRow> {
  readonly counts: FlowCounts = {
    rows: 0,
    resized: 0,
    requeued: 0,
    refills: 0,
    hiddenTrades: 0,
    nanosecondsCut: 0,
  };
  readonly #path: string;
  readonly #scales: Scales;
  readonly #bytesMax: number;
  #lastMicros = 0;

  /** Only the first `bytesMax` bytes of the file are read. */
  constructor(path: string, scales: Scales, bytesMax = Infinity) {
    this.#path = path;
    this.#bytesMax = bytesMax;
    this.#scales = scales;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<OrderFlowRow, void> {
    for await (const rows of this.batches()) yield* rows;
  }

  /** Yields the same rows in batches, for callers that cannot afford a promise per row. */
  async *batches(): AsyncGenerator<readonly OrderFlowRow[], void> {
    let before: FlowEvent | undefined;
    let current: FlowEvent | undefined;
    let line = 0;
    for await (const lines of readGzipLines(this.#path, this.#bytesMax)) {
      const rows: OrderFlowRow[] = [];
      for (const text of lines) {
        line++;
        if (text === '') continue;
        const next = this.#parse(text, line);
        this.#append(rows, before, current, next);
        before = current;
        current = next;
      }
      yield rows;
    }
    const last: OrderFlowRow[] = [];
    this.#append(last, before, current, undefined);
    yield last;
  }

  #parse(text: string, line: number): FlowEvent {
    const where = `${this.#path}:${line}`;
    const event = parseFlowEvent(text, this.#scales, where);
    if (event.atMicros < this.#lastMicros)
      throw new DecodeError(`${where}: time must not go back, was ${event.time}`);
    this.#lastMicros = event.atMicros;
    // A time of up to 13 digits is in milliseconds.
    if (event.time.length > 13 && !event.time.endsWith('000')) this.counts.nanosecondsCut++;
    return event;
  }

  /** Adds the row of `event`, unless `event` and `next` together make one row. */
  #append(
    rows: OrderFlowRow[],
    before: FlowEvent | undefined,
    event: FlowEvent | undefined,
    next: FlowEvent | undefined,
  ): void {
    if (event === undefined || (next !== undefined && isInPlaceChange(event, next))) return;
    this.#count(before, event);
    const { sequence, atMicros } = event;
    const base = { sequence, atMicros, endsMessage: !isSameMessage(event, next) };
    if (before !== undefined && isInPlaceChange(before, event) && event.kind === 'create') {
      const { id, price, volume } = event;
      rows.push({ ...base, kind: 'resize', id, price, volume });
    } else rows.push(rowOf(event, base));
  }

  #count(before: FlowEvent | undefined, event: FlowEvent): void {
    this.counts.rows++;
    if (event.kind === 'trade' && event.hasHiddenVolume) this.counts.hiddenTrades++;
    if (event.kind !== 'create' || !event.isModify) return;
    if (before === undefined || !isChange(before, event)) this.counts.refills++;
    else if (event.keepsPriority) this.counts.resized++;
    else this.counts.requeued++;
  }
}

function rowOf(
  event: FlowEvent,
  base: Pick<OrderFlowRow, 'sequence' | 'atMicros' | 'endsMessage'>,
): OrderFlowRow {
  if (event.kind === 'delete') return { ...base, kind: 'delete', id: event.id };
  const { price, volume } = event;
  if (event.kind === 'create')
    return { ...base, kind: 'create', id: event.id, side: event.side, price, volume };
  const { makerId, takerId, makerSide } = event;
  return { ...base, kind: 'trade', makerId, takerId, makerSide, price, volume };
}

function isChange(event: FlowEvent, next: FlowEvent): boolean {
  if (event.kind !== 'delete' || next.kind !== 'create') return false;
  return event.isModify && next.isModify && event.id === next.id;
}

function isInPlaceChange(event: FlowEvent, next: FlowEvent): boolean {
  return isChange(event, next) && next.kind === 'create' && next.keepsPriority;
}

/**
 * Returns whether `next` belongs to the same message as `event`. All trades of a taker and the rest
 * of its order are one message; so is a change of an order.
 */
function isSameMessage(event: FlowEvent, next: FlowEvent | undefined): boolean {
  if (next === undefined) return false;
  if (event.kind === 'delete') return isChange(event, next);
  if (event.kind !== 'trade' || next.kind === 'delete') return false;
  if (next.kind === 'create') return event.takerId === next.id;
  if (event.takerId !== undefined) return event.takerId === next.takerId;
  return event.time === next.time && event.makerSide === next.makerSide;
}

async function readGzipJson(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const body: unknown = JSON.parse(gunzipSync(await readFile(path)).toString('utf8'));
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch (cause) {
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
  throw new DecodeError(`${path}: must hold a JSON object`);
}
