/**
 * The last look at an order before it leaves: the finished request is compared, byte for byte in
 * its fields, with the intent that was approved and committed, and with absolute caps of a file of
 * its own. It shares no code with the gate or the executor and reads nothing that they keep.
 *
 * Invariants: what is not known is blocked; an attempt leaves once; terms are those of the first
 * commit of their intent, whatever is committed later; after one block no order leaves any more
 * until the process starts anew. Cancels are compared by form alone, since nothing may hold them
 * up; reads pass.
 */
import type { EgressCaps } from '../domain/bot-settings.ts';
import { decimalOf } from '../domain/money.ts';
import type { OrderRow, StoreRecord } from '../domain/records.ts';
import type { Clock } from '../runtime/clock.ts';

/** A request as it would leave, below the base address. */
export type LeavingRequest = {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
};

type Terms = Readonly<Record<string, string>>;
type Attempt = { readonly number: number; readonly timestamp: string; readonly ttl: string };
type Known = {
  readonly terms: Terms;
  isApproved: boolean;
  attempt: Attempt | undefined;
  /** Number of the last attempt that left. */
  left: number;
};

export type EgressGuardOptions = {
  /** Undefined leaves the comparison with the commit alone; only the demo may have none. */
  readonly caps: EgressCaps | undefined;
  readonly clock: Pick<Clock, 'monotonicMicros'>;
};

const minuteMicros = 60_000_000;
const orderPath = '/api/1/postorder';
const cancelPath = '/api/1/stoporder';
const finals: readonly string[] = ['filled', 'cancelled', 'rejected', 'absent', 'unsent'];

export class EgressGuard {
  readonly #caps: EgressCaps | undefined;
  readonly #clock: Pick<Clock, 'monotonicMicros'>;
  readonly #byIntent = new Map<number, Known>();
  readonly #intentById = new Map<string, number>();
  /** Ended in the last batch; a request of that batch may still be about to leave. */
  readonly #ended = new Set<number>();
  /** When orders left in the last minute, oldest first. */
  readonly #leftMicros: number[] = [];
  #blocked: string | undefined;

  constructor(options: EgressGuardOptions) {
    this.#caps = options.caps;
    this.#clock = options.clock;
  }

  /** What was blocked first; no order leaves after it. */
  get blocked(): string | undefined {
    return this.#blocked;
  }

  /** Takes the orders that an earlier run left unfinished: their approval is in the store. */
  noteRestored(rows: readonly OrderRow[]): void {
    for (const row of rows) {
      const known = this.#noteOrder(row);
      if (known === undefined) continue;
      known.isApproved = true;
      known.left = row.attempts;
    }
  }

  /** Takes what a batch has made durable; called before any effect of the batch leaves. */
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

  /** Returns why `request` must not leave, or undefined when it may; an order is then counted. */
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
    const known = { terms: termsOf(row), isApproved: false, attempt: undefined, left: 0 };
    this.#byIntent.set(intentId, known);
    this.#intentById.set(row.clientOrderId, intentId);
    return known;
  }

  #orderFault({ method, path, body }: LeavingRequest): string | undefined {
    if (method !== 'POST' || path !== orderPath)
      return `${method} ${path} is no request that a bot sends`;
    const fields = fieldsOf(body);
    if (fields === undefined) return 'the order has no body, or a field twice';
    const id = fields.get('client_order_id') ?? '';
    const intentId = this.#intentById.get(id);
    const known = intentId === undefined ? undefined : this.#byIntent.get(intentId);
    if (known === undefined) return `no order "${id}" was committed`;
    if (!known.isApproved) return `no approval of ${id} was committed`;
    const { attempt } = known;
    if (attempt === undefined || attempt.number <= known.left)
      return `no attempt of ${id} is committed that has not left already`;
    const wanted = new Map(
      Object.entries({ ...known.terms, timestamp: attempt.timestamp, ttl: attempt.ttl }),
    );
    for (const name of new Set([...wanted.keys(), ...fields.keys()]))
      if (fields.get(name) !== wanted.get(name))
        return `${id}: ${name} is ${shown(fields.get(name))}, committed was ${shown(wanted.get(name))}`;
    const fault = this.#capFault(known.terms);
    if (fault !== undefined) return `${id}: ${fault}`;
    known.left = attempt.number;
    return undefined;
  }

  /** Checks the caps and counts the order. */
  #capFault(terms: Terms): string | undefined {
    const caps = this.#caps;
    if (caps === undefined) return undefined;
    const { pair = '', volume = '', price = '' } = terms;
    const cap = Object.hasOwn(caps.pairs, pair) ? caps.pairs[pair] : undefined;
    if (cap === undefined) return `pair ${pair} has no egress cap`;
    if (decimalOf(volume).greaterThan(cap.volumeMax))
      return `volume ${volume} is above the egress cap of ${cap.volumeMax}`;
    const value = decimalOf(volume).times(decimalOf(price));
    if (value.greaterThan(cap.valueMax))
      return `value ${value} is above the egress cap of ${cap.valueMax}`;
    const nowMicros = this.#clock.monotonicMicros();
    while ((this.#leftMicros[0] ?? nowMicros) <= nowMicros - minuteMicros) this.#leftMicros.shift();
    if (this.#leftMicros.length >= caps.ordersPerMinuteMax)
      return `${this.#leftMicros.length} orders left within a minute, the egress cap is ${caps.ordersPerMinuteMax}`;
    this.#leftMicros.push(nowMicros);
    return undefined;
  }
}

function termsOf(row: OrderRow): Terms {
  return {
    client_order_id: row.clientOrderId,
    pair: row.pair,
    type: row.side,
    price: row.price,
    volume: row.volume,
    time_in_force: row.timeInForce,
    ...(row.postOnly ? { post_only: 'true' } : {}),
    base_account_id: row.baseAccountId,
    counter_account_id: row.counterAccountId,
  };
}

function cancelFault(body: string | undefined): string | undefined {
  const fields = fieldsOf(body);
  const isBare = fields?.size === 1 && (fields.get('order_id') ?? '') !== '';
  return isBare ? undefined : 'a cancel has an order_id and nothing else';
}

/** Returns the fields of a form; undefined when there are none or one is there twice. */
function fieldsOf(body: string | undefined): ReadonlyMap<string, string> | undefined {
  if (body === undefined) return undefined;
  const entries = [...new URLSearchParams(body)];
  const fields = new Map(entries);
  return fields.size === entries.length && fields.size > 0 ? fields : undefined;
}

function shown(value: string | undefined): string {
  return value === undefined ? 'left out' : `"${value}"`;
}
