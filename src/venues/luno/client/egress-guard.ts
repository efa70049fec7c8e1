/**
 * The last check of an order before it is sent: compares every field of the finished request with
 * the approved and committed order, and with absolute caps from a separate file. It shares no code
 * or state with the gate or the executor.
 *
 * Invariants: an unknown order is blocked; an attempt is sent once; the terms of an order are those
 * of its first commit, whatever is committed later; after one block no order is sent until the
 * process restarts. Only the form of a cancel is checked, because nothing may delay it; reads pass.
 */
import type { EgressCaps } from '../../../domain/bot-settings.ts';
import { decimalOf } from '../../../domain/money.ts';
import type { OrderRow, StoreRecord } from '../../../domain/records.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { LeavingRequest, OrderGuard } from '../../../venue/order-guard.ts';

type Terms = Readonly<Record<string, string>>;
type Attempt = { readonly number: number; readonly timestamp: string; readonly ttl: string };
type Known = {
  readonly path: string;
  readonly terms: Terms;
  /** What the caps bound besides what leaves: of a market order, what it counts as. */
  readonly size: { readonly volume: string; readonly price: string };
  isApproved: boolean;
  attempt: Attempt | undefined;
  /** Number of the last attempt that was sent. */
  sent: number;
};

export type EgressGuardOptions = {
  /** Undefined checks no caps; only the demo may omit them. */
  readonly caps: EgressCaps | undefined;
  readonly clock: Pick<Clock, 'monotonicMicros'>;
};

const minuteMicros = 60_000_000;
const orderPath = '/api/1/postorder';
const marketOrderPath = '/api/1/marketorder';
const cancelPath = '/api/1/stoporder';
/** A form in which every character stands for itself, as in nearly all. */
const isUnescaped = /^[\w.*=&-]*$/u;
const finals: readonly string[] = ['filled', 'cancelled', 'rejected', 'absent', 'unsent'];

export class EgressGuard implements OrderGuard {
  readonly #caps: EgressCaps | undefined;
  readonly #clock: Pick<Clock, 'monotonicMicros'>;
  readonly #byIntent = new Map<number, Known>();
  readonly #intentById = new Map<string, number>();
  /** Orders that ended in the last batch; a request of that batch may still have to be sent. */
  readonly #ended = new Set<number>();
  /** When orders of the last minute were sent, oldest first. */
  readonly #sentMicros: number[] = [];
  /** Why the first request was blocked; no order is sent after it. */
  #blocked: string | undefined;

  constructor(options: EgressGuardOptions) {
    this.#caps = options.caps;
    this.#clock = options.clock;
  }

  noteRestored(rows: readonly OrderRow[]): void {
    for (const row of rows) {
      const known = this.#noteOrder(row);
      if (known === undefined) continue;
      known.isApproved = true;
      known.sent = row.attempts;
    }
  }

  noteCommitted(records: readonly StoreRecord[]): void {
    this.#forgetEnded();
    const approved = new Set<number>();
    for (const record of records)
      if (record.kind === 'decision' && record.verdict === 'approved')
        if (record.intentId !== undefined) approved.add(record.intentId);
    for (const record of records) {
      if (record.kind === 'order') {
        const known = this.#noteOrder(record.row);
        if (known !== undefined && approved.has(record.row.intentId)) known.isApproved = true;
      }
      if (record.kind !== 'attempt') continue;
      const known = this.#byIntent.get(record.intentId);
      if (known === undefined) continue;
      const { number, timestampMs, ttlMs } = record;
      known.attempt = { number, timestamp: String(timestampMs), ttl: String(ttlMs) };
    }
  }

  inspect(request: LeavingRequest): string | undefined {
    if (request.method === 'GET') return undefined;
    if (request.method === 'POST' && request.path === cancelPath) return cancelFault(request.body);
    this.#blocked ??= this.#orderFault(request);
    return this.#blocked;
  }

  #forgetEnded(): void {
    for (const intentId of this.#ended) {
      const id = this.#byIntent.get(intentId)?.terms['client_order_id'];
      if (id !== undefined) this.#intentById.delete(id);
      this.#byIntent.delete(intentId);
    }
    this.#ended.clear();
  }

  #noteOrder(row: OrderRow): Known | undefined {
    const { intentId } = row;
    const before = this.#byIntent.get(intentId);
    if (finals.includes(row.state)) {
      if (before !== undefined) this.#ended.add(intentId);
      return before;
    }
    this.#ended.delete(intentId);
    if (before !== undefined) return before;
    const known = {
      path: row.pays === undefined ? orderPath : marketOrderPath,
      terms: termsOf(row),
      size: { volume: row.volume, price: row.price },
      isApproved: false,
      attempt: undefined,
      sent: 0,
    };
    this.#byIntent.set(intentId, known);
    this.#intentById.set(row.clientOrderId, intentId);
    return known;
  }

  #orderFault({ method, path, body }: LeavingRequest): string | undefined {
    if (method !== 'POST' || (path !== orderPath && path !== marketOrderPath))
      return `${method} ${path} is not a request that a bot sends`;
    const fields = fieldsOf(body);
    if (fields === undefined) return 'the order has no body, or a duplicate field';
    const id = fields.get('client_order_id') ?? '';
    const intentId = this.#intentById.get(id);
    const known = intentId === undefined ? undefined : this.#byIntent.get(intentId);
    if (known === undefined) return `no order "${id}" was committed`;
    if (!known.isApproved) return `no approval of ${id} was committed`;
    if (path !== known.path) return `${id}: sent to ${path}, but ${known.path} was committed`;
    const { attempt } = known;
    if (attempt === undefined || attempt.number <= known.sent)
      return `no unsent attempt of ${id} was committed`;
    const wanted: Terms = { ...known.terms, timestamp: attempt.timestamp, ttl: attempt.ttl };
    const names = Object.keys(wanted);
    for (const name of names)
      if (fields.get(name) !== wanted[name])
        return `${id}: ${name} is ${shown(fields.get(name))}, but ${shown(wanted[name])} was committed`;
    if (fields.size > names.length)
      for (const [name, text] of fields)
        if (!Object.hasOwn(wanted, name))
          return `${id}: ${name} is ${shown(text)}, but left out was committed`;
    const fault = this.#capFault(known);
    if (fault !== undefined) return `${id}: ${fault}`;
    known.sent = attempt.number;
    return undefined;
  }

  #capFault({ terms, size }: Pick<Known, 'terms' | 'size'>): string | undefined {
    const caps = this.#caps;
    if (caps === undefined) return undefined;
    const { pair = '' } = terms;
    const { volume, price } = size;
    const cap = Object.hasOwn(caps.pairs, pair) ? caps.pairs[pair] : undefined;
    if (cap === undefined) return `pair ${pair} has no egress cap`;
    const value = decimalOf(volume).times(decimalOf(price)).toFixed();
    const { volumeMax, valueMax } = cap;
    // What a market order pays is what leaves, whatever it counts as.
    for (const [name, amount = '0', max] of [
      ['volume', volume, volumeMax],
      ['value', value, valueMax],
      ['base_volume', terms['base_volume'], volumeMax],
      ['counter_volume', terms['counter_volume'], valueMax],
    ] as const)
      if (decimalOf(amount).greaterThan(max))
        return `${name} ${amount} is above the egress cap of ${max}`;
    const nowMicros = this.#clock.monotonicMicros();
    while ((this.#sentMicros[0] ?? nowMicros) <= nowMicros - minuteMicros) this.#sentMicros.shift();
    if (this.#sentMicros.length >= caps.ordersPerMinuteMax)
      return `${this.#sentMicros.length} orders were sent within a minute, the egress cap is ${caps.ordersPerMinuteMax}`;
    this.#sentMicros.push(nowMicros);
    return undefined;
  }
}

function termsOf(row: OrderRow): Terms {
  const { stopPrice, stopDirection, pays } = row;
  const placement = {
    client_order_id: row.clientOrderId,
    pair: row.pair,
    base_account_id: row.baseAccountId,
    counter_account_id: row.counterAccountId,
  };
  if (pays !== undefined)
    return row.side === 'BID'
      ? { ...placement, type: 'BUY', counter_volume: pays }
      : { ...placement, type: 'SELL', base_volume: pays };
  return {
    ...placement,
    type: row.side,
    price: row.price,
    volume: row.volume,
    time_in_force: row.timeInForce,
    ...(row.postOnly ? { post_only: 'true' } : {}),
    ...(stopPrice === undefined ? {} : { stop_price: stopPrice }),
    ...(stopDirection === undefined ? {} : { stop_direction: stopDirection }),
  };
}

function cancelFault(body: string | undefined): string | undefined {
  const fields = fieldsOf(body);
  const isBare = fields?.size === 1 && (fields.get('order_id') ?? '') !== '';
  return isBare ? undefined : 'a cancel must have an order_id and nothing else';
}

/** Returns the fields of a form, or undefined if it is empty or has a duplicate field. */
function fieldsOf(body: string | undefined): ReadonlyMap<string, string> | undefined {
  if (body === undefined) return undefined;
  if (!isUnescaped.test(body)) return uniqueFields([...new URLSearchParams(body)]);
  const fields = new Map<string, string>();
  for (const field of body.split('&')) {
    if (field === '') continue;
    const end = field.indexOf('=');
    const name = end === -1 ? field : field.slice(0, end);
    if (fields.has(name)) return undefined;
    fields.set(name, end === -1 ? '' : field.slice(end + 1));
  }
  return fields.size > 0 ? fields : undefined;
}

function uniqueFields(
  entries: readonly [string, string][],
): ReadonlyMap<string, string> | undefined {
  const fields = new Map(entries);
  return fields.size === entries.length && fields.size > 0 ? fields : undefined;
}

function shown(value: string | undefined): string {
  return value === undefined ? 'left out' : `"${value}"`;
}
