/**
 * The id that makes an order ours and unrepeatable: a pure function of the intent.
 *
 *     b1-k3xa72qm-1a-f0r2m6y7c4de     version, namespace, intent number, hash of the terms
 *
 * Only letters, digits and dashes: `;` and `,` are allowed by the exchange but split by some
 * proxies. A database restored from a backup that reuses a number makes another id, since the terms
 * differ.
 */
import { hash } from 'node:crypto';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

export type IdentifiedIntent = {
  readonly namespace: string;
  readonly intentId: number;
  readonly createdMs: number;
  readonly pair: string;
  readonly side: string;
  readonly volume: string;
  readonly price: string;
  readonly timeInForce: string;
  readonly postOnly: boolean;
};

/** Returns the client_order_id of an intent; at most 64 characters. */
export function clientOrderIdOf(intent: IdentifiedIntent): string {
  const { namespace, intentId, createdMs, pair, side, volume, price } = intent;
  const of = `${namespace}|${intentId}|${createdMs}|${pair}|${side}|LIMIT`;
  const terms = `${of}|${volume}|${price}|${intent.timeInForce}|${intent.postOnly}`;
  const digest = hash('sha256', terms, 'buffer');
  let suffix = '';
  for (let i = 0; i < 12; i++) suffix += base32[(digest[i] as number) & 31];
  return `${clientOrderIdPrefix(namespace)}${intentId.toString(36)}-${suffix}`;
}

/**
 * Returns the client_order_id of an intent by its number alone: for an exchange that lives and ends
 * with the run, where no other run can have used the number.
 */
export function numberedOrderId(namespace: string, intentId: number): string {
  return `b1-${namespace}-${intentId.toString(36)}`;
}

/** Returns what every client_order_id of this namespace begins with. */
export function clientOrderIdPrefix(namespace: string): string {
  return `b1-${namespace}-`;
}
