/**
 * The id by which we recognise our orders and the exchange refuses duplicates: a pure function of
 * the intent.
 *
 *     b1-k3xa72qm-1a-q7d2m4xb-f0r2m6y7c4de
 *                                  version, namespace, intent number, database, hash of the terms
 *
 * Only letters, digits and dashes: the exchange also allows `;` and `,`, but some proxies split
 * there. A database that was restored from a backup may reuse an intent number, but its id differs
 * then, because the time or the terms differ. A new database also has another identity. Backtests,
 * and databases of versions without identities, have none in their ids.
 */
import { hash } from 'node:crypto';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

export type IdentifiedIntent = {
  readonly namespace: string;
  /** The database's, see {@link createIdentity}; may be empty. */
  readonly identity: string;
  readonly intentId: number;
  readonly createdMs: number;
  readonly pair: string;
  readonly side: string;
  readonly volume: string;
  readonly price: string;
  readonly timeInForce: string;
  readonly postOnly: boolean;
  /** Direction and price of a stop; undefined without one. */
  readonly stop?: string | undefined;
  /** What a market order pays; undefined for another. */
  readonly pays?: string | undefined;
};

/** The longest id: that of an intent with the number 2^53 - 1. */
export const clientOrderIdLengthMax = 45;

/** Returns the client_order_id of an intent; at most {@link clientOrderIdLengthMax} characters. */
export function clientOrderIdOf(intent: IdentifiedIntent): string {
  const { namespace, identity, intentId, createdMs, pair, side, volume, price } = intent;
  const type = typeOf(intent);
  const of = `${namespace}|${intentId}|${createdMs}|${pair}|${side}|${type}`;
  const terms = `${of}|${volume}|${price}|${intent.timeInForce}|${intent.postOnly}`;
  const digest = hash('sha256', terms, 'buffer');
  let suffix = '';
  for (let i = 0; i < 12; i++) suffix += base32[(digest[i] as number) & 31];
  const database = identity === '' ? '' : `${identity}-`;
  return `${clientOrderIdPrefix(namespace)}${intentId.toString(36)}-${database}${suffix}`;
}

function typeOf({ stop, pays }: IdentifiedIntent): string {
  if (pays !== undefined) return `MARKET ${pays}`;
  return stop === undefined ? 'LIMIT' : `STOP_LIMIT ${stop}`;
}

/** Returns a random identity for a new database; `integer` includes both bounds. */
export function createIdentity(random: { integer(min: number, max: number): number }): string {
  return Array.from({ length: 8 }, () => base32[random.integer(0, 31)]).join('');
}

/** Returns the database identity in an id of this namespace; empty if the id has none. */
export function identityIn(clientOrderId: string, namespace: string): string {
  const parts = clientOrderId.slice(clientOrderIdPrefix(namespace).length).split('-');
  return parts.length === 3 ? (parts[1] ?? '') : '';
}

/**
 * Returns a client_order_id made of the intent's number alone: for a simulated exchange that exists
 * only during the run, so that no other run can have used the number. `prefix` is that of the
 * namespace.
 */
export function numberedOrderId(prefix: string, intentId: number): string {
  return prefix + base36Of(intentId);
}

const base = 36;
const digits = Array.from({ length: base }, (_, digit) => digit.toString(base));
/** All digits but the last of the number written last, and the same as a number. */
let higherText = '';
let higher = 0;
/** The number written last: an order's key and id have the same. */
let last = 0;
let lastText = '0';

/**
 * Returns a whole number that is not negative in base 36. Numbers are written in their order, so
 * that nearly always only the last digit changes: V8 has no fast way to write the others.
 */
export function base36Of(number: number): string {
  if (number === last) return lastText;
  const others = Math.floor(number / base);
  if (others !== higher) {
    higher = others;
    higherText = others === 0 ? '' : others.toString(base);
  }
  last = number;
  lastText = `${higherText}${digits[number - others * base]}`;
  return lastText;
}

/** Returns the prefix of every client_order_id of this namespace. */
export function clientOrderIdPrefix(namespace: string): string {
  return `b1-${namespace}-`;
}
