/**
 * The border between a plugin, which is plain JavaScript when it runs, and the engine, which
 * relies on its types: every intent is read once, checked member by member and copied.
 *
 * Invariants: what is returned shares nothing with what came in, except a `remember`'s state,
 * which its own check copies; numbers are safe integers above zero; every text and list is
 * bounded; an unknown member is refused, since its author believes that it does something.
 */
import type { Intent, QuotedOrder } from '../domain/intent.ts';
import type { Terms } from '../domain/order.ts';
import { describe, isPlainObject } from './json-value.ts';

export type Validation =
  | { readonly kind: 'valid'; readonly intent: Intent }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Levels of one quote. */
export const levelsMax = 50;
/** Characters of a reason. */
const reasonLengthMax = 1_000;

const keyPattern = /^[A-Za-z0-9._:-]{1,64}$/u;

/** Thrown and caught in here alone. */
class Invalid extends Error {}

type Members = Readonly<Record<string, unknown>>;

/** Returns `value` as an intent on one of `pairs`, or what is wrong with it. Never throws. */
export function validateIntent(value: unknown, pairs: ReadonlySet<string>): Validation {
  try {
    return { kind: 'valid', intent: Object.freeze(intentOf(value, pairs)) };
  } catch (error) {
    if (error instanceof Invalid) return { kind: 'invalid', problem: error.message };
    return { kind: 'invalid', problem: `intent cannot be read: ${messageOf(error)}` };
  }
}

function intentOf(value: unknown, pairs: ReadonlySet<string>): Intent {
  if (!isPlainObject(value)) throw new Invalid(`intent must be an object, was ${describe(value)}`);
  const kind = value['kind'];
  switch (kind) {
    case 'quote': {
      const members = read(value, 'quote', ['kind', 'pair', 'orders', 'toleranceTicks', 'reason']);
      return quoteOf(members, pairs);
    }
    case 'place': {
      const members = read(value, 'place', ['kind', 'pair', 'key', 'terms', 'reason']);
      const terms = isPlainObject(members['terms'])
        ? read(members['terms'], 'terms', termNames)
        : refuse('terms', 'an object', members['terms']);
      return {
        kind,
        pair: pairOf(members, pairs),
        key: keyOf(members, 'key'),
        terms: Object.freeze(termsOf(terms)),
        reason: reasonOf(members),
      };
    }
    case 'cancel': {
      const members = read(value, 'cancel', ['kind', 'pair', 'key', 'reason']);
      return {
        kind,
        pair: pairOf(members, pairs),
        key: keyOf(members, 'key'),
        reason: reasonOf(members),
      };
    }
    case 'cancelAll':
    case 'idle': {
      const members = read(value, kind, ['kind', 'pair', 'reason']);
      return { kind, pair: pairOf(members, pairs), reason: reasonOf(members) };
    }
    case 'remember':
      return { kind, state: read(value, 'remember', ['kind', 'state'])['state'] };
    default:
      return refuse('kind', 'quote, place, cancel, cancelAll, idle or remember', kind);
  }
}

const termNames = ['side', 'price', 'volume', 'timeInForce', 'postOnly'] as const;

function quoteOf(members: Members, pairs: ReadonlySet<string>): Intent {
  const list: unknown = members['orders'];
  if (!Array.isArray(list)) return refuse('orders', 'a list', list);
  if (list.length > levelsMax) {
    throw new Invalid(`orders must be at most ${levelsMax}, were ${list.length}`);
  }
  const orders = Array.from(list, quotedOrderOf);
  if (orders.some(({ level }, at) => orders.findIndex((one) => one.level === level) < at)) {
    throw new Invalid('orders must each have a level of their own');
  }
  checkUncrossed(orders);
  const tolerance = members['toleranceTicks'];
  return {
    kind: 'quote',
    pair: pairOf(members, pairs),
    orders: Object.freeze(orders),
    ...(tolerance !== undefined && { toleranceTicks: integerOf(members, 'toleranceTicks', 0) }),
    reason: reasonOf(members),
  };
}

function quotedOrderOf(value: unknown): QuotedOrder {
  if (!isPlainObject(value)) return refuse('orders[]', 'an object', value);
  const members = read(value, 'orders[]', ['level', ...termNames]);
  const terms = termsOf(members);
  if (terms.timeInForce !== undefined && terms.timeInForce !== 'GTC') {
    return refuse('timeInForce of a quote', 'GTC, since a quote rests', terms.timeInForce);
  }
  return Object.freeze({ level: keyOf(members, 'level'), ...terms });
}

function checkUncrossed(orders: readonly QuotedOrder[]): void {
  let bid = Number.NEGATIVE_INFINITY;
  let ask = Number.POSITIVE_INFINITY;
  for (const { side, price } of orders)
    if (side === 'BID') bid = Math.max(bid, price);
    else ask = Math.min(ask, price);
  if (bid >= ask)
    throw new Invalid(`quote crosses itself: bid ${bid} is not below ask ${ask} (ticks)`);
}

function termsOf(members: Members): Terms {
  const { side, timeInForce, postOnly } = members;
  if (side !== 'BID' && side !== 'ASK') return refuse('side', 'BID or ASK', side);
  const given =
    timeInForce === undefined ||
    timeInForce === 'GTC' ||
    timeInForce === 'IOC' ||
    timeInForce === 'FOK';
  if (!given) return refuse('timeInForce', 'GTC, IOC or FOK', timeInForce);
  if (postOnly !== undefined && typeof postOnly !== 'boolean') {
    return refuse('postOnly', 'true or false', postOnly);
  }
  return {
    side,
    price: integerOf(members, 'price', 1) as Terms['price'],
    volume: integerOf(members, 'volume', 1) as Terms['volume'],
    ...(timeInForce !== undefined && { timeInForce }),
    ...(postOnly !== undefined && { postOnly }),
  };
}

/** Returns the members of `value`, each read exactly once. */
function read(value: Members, where: string, names: readonly string[]): Members {
  const members: Record<string, unknown> = {};
  for (const name of Reflect.ownKeys(value)) {
    if (typeof name !== 'string' || !names.includes(name)) {
      throw new Invalid(
        `${where} has no member ${String(name).slice(0, 80)}; it has ${names.join(', ')}`,
      );
    }
    members[name] = value[name];
  }
  return members;
}

function pairOf(members: Members, pairs: ReadonlySet<string>): string {
  const pair = members['pair'];
  if (typeof pair === 'string' && pairs.has(pair)) return pair;
  return refuse('pair', `one of this strategy's (${[...pairs].join(', ')})`, pair);
}

function keyOf(members: Members, name: string): string {
  const key = members[name];
  if (typeof key === 'string' && keyPattern.test(key)) return key;
  return refuse(name, '1 to 64 letters, digits, dots, colons, dashes or underscores', key);
}

function reasonOf(members: Members): string {
  const reason = members['reason'];
  if (typeof reason !== 'string' || reason === '') return refuse('reason', 'a text', reason);
  if (reason.length > reasonLengthMax) {
    throw new Invalid(`reason must be at most ${reasonLengthMax} characters, was ${reason.length}`);
  }
  return reason;
}

function integerOf(members: Members, name: string, least: number): number {
  const value = members[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  return refuse(name, `a whole number from ${least}`, value);
}

function refuse(name: string, allowed: string, value: unknown): never {
  throw new Invalid(`${name} must be ${allowed}, was ${describe(value)}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'something was thrown';
}
