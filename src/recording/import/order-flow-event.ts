/**
 * One line of recorded order flow: checked and converted to ticks and lots, before it becomes a
 * row.
 */
import { isOrderId } from '../../domain/book-message.ts';
import { DecodeError } from '../../domain/errors.ts';
import { parseLots, parseTicks, type Scales } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { OrderCreated, OrderTraded, RowBase } from '../../market/flow/order-flow-row.ts';
import type { RestingOrder } from '../file/flow-item.ts';

type EventBase = {
  readonly sequence: number;
  readonly atMicros: number;
  /** The recorded time as text, with the precision of the file. */
  readonly time: string;
};

export type FlowEvent = EventBase &
  (
    | (Omit<OrderCreated, keyof RowBase> & {
        readonly isModify: boolean;
        readonly keepsPriority: boolean;
      })
    | { readonly kind: 'delete'; readonly id: string; readonly isModify: boolean }
    | (Omit<OrderTraded, keyof RowBase> & { readonly hasHiddenVolume: boolean })
  );

type Fields = Readonly<Record<string, unknown>>;

/** Returns one order of a snapshot. Throws {@link DecodeError}; its message begins with `where`. */
export function parseFlowOrder(
  value: unknown,
  scales: Scales,
  where: string,
): Omit<RestingOrder, 'side'> {
  const reader = new FieldReader(objectOf(value, where), scales, where);
  return { id: reader.id('id'), price: reader.price(), volume: reader.volume() };
}

/** Returns the event of one line. Throws {@link DecodeError}; its message begins with `where`. */
export function parseFlowEvent(line: string, scales: Scales, where: string): FlowEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new DecodeError(`${where}: is not JSON`, { cause });
  }
  const fields = objectOf(value, where);
  const reader = new FieldReader(fields, scales, where);
  const base = { sequence: reader.integer('sequence'), ...reader.time() };
  switch (fields['type']) {
    case 'create':
      return {
        ...base,
        kind: 'create',
        id: reader.id('id'),
        side: reader.oneOf('side', { bid: 'BID', ask: 'ASK' }),
        price: reader.price(),
        volume: reader.volume(),
        isModify: fields['modify'] === true,
        keepsPriority: fields['keepsPriority'] === true,
      };
    case 'delete':
      return {
        ...base,
        kind: 'delete',
        id: reader.id('id'),
        isModify: fields['modify'] === true,
      };
    case 'trade':
      return {
        ...base,
        kind: 'trade',
        makerId: reader.id('makerId'),
        takerId: fields['takerId'] === undefined ? undefined : reader.id('takerId'),
        makerSide: reader.oneOf('takerSide', { buy: 'ASK', sell: 'BID' }),
        price: reader.price(),
        volume: reader.volume(),
        hasHiddenVolume: fields['hiddenVolume'] !== undefined,
      };
    default:
      throw reader.wrong('type', 'create, delete or trade');
  }
}

function objectOf(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DecodeError(`${where}: must be a JSON object`);
  return value as Fields;
}

class FieldReader {
  readonly #fields: Fields;
  readonly #scales: Scales;
  readonly #where: string;

  constructor(fields: Fields, scales: Scales, where: string) {
    this.#fields = fields;
    this.#scales = scales;
    this.#where = where;
  }

  text(name: string): string {
    const value = this.#fields[name];
    if (typeof value !== 'string' || value === '') throw this.wrong(name, 'text');
    return value;
  }

  id(name: string): string {
    const text = this.text(name);
    if (!isOrderId(text)) throw this.wrong(name, 'text without control characters');
    return text;
  }

  integer(name: string): number {
    const value = this.#fields[name];
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw this.wrong(name, 'an integer of 0 or more');
    return value;
  }

  oneOf<Value>(name: string, values: Readonly<Record<string, Value>>): Value {
    const key = this.#fields[name];
    const value = typeof key === 'string' && Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) throw this.wrong(name, Object.keys(values).join(' or '));
    return value;
  }

  price(): Ticks {
    const price = parseTicks(this.text('price'), this.#scales);
    if (price === undefined)
      throw this.wrong('price', `a decimal with at most ${this.#scales.priceScale} decimals`);
    return price;
  }

  volume(): Lots {
    const volume = parseLots(this.text('volume'), this.#scales);
    if (volume === undefined || volume <= 0)
      throw this.wrong(
        'volume',
        `a positive decimal with at most ${this.#scales.volumeScale} decimals`,
      );
    return volume;
  }

  /** Reads nanoseconds from `tsNs` if the file has them, else milliseconds from `timestamp`. */
  time(): { readonly atMicros: number; readonly time: string } {
    const nanoseconds = this.#fields['tsNs'];
    if (nanoseconds === undefined) {
      const milliseconds = this.integer('timestamp');
      return {
        atMicros: this.#micros('timestamp', milliseconds * 1_000),
        time: String(milliseconds),
      };
    }
    if (typeof nanoseconds !== 'string' || !/^\d{4,19}$/u.test(nanoseconds))
      throw this.wrong('tsNs', 'nanoseconds as text');
    const micros = Number.parseInt(nanoseconds.slice(0, -3), 10);
    return { atMicros: this.#micros('tsNs', micros), time: nanoseconds };
  }

  #micros(name: string, micros: number): number {
    if (!Number.isSafeInteger(micros)) throw this.wrong(name, 'before the year 2255');
    return micros;
  }

  wrong(name: string, allowed: string): DecodeError {
    const value = JSON.stringify(this.#fields[name]) ?? 'missing';
    return new DecodeError(`${this.#where}: ${name} must be ${allowed}, was ${value}`);
  }
}
