/**
 * Requires an idempotency key for payments. A payment without an answer can only be repeated or
 * looked up by a key that the caller created and stored before sending it; otherwise a second try
 * may pay twice. The documents make most of these keys optional; this client requires them.
 *
 * Orders are not covered here: the executor gives them a `client_order_id`, and the egress guard
 * checks it.
 */
import type { Operation } from '../api/operation.ts';

/** The parameter's names; an operation has at most one of them. */
const names = [
  'idempotency_key',
  'client_move_id',
  'external_id',
  'externalId',
  'clientTransferId',
] as const;

/** Returns the name of the operation's idempotency key, or undefined if it has none. */
export function ownKeyOf({ repeat, parameters }: Operation): string | undefined {
  if (repeat !== 'keyed') return undefined;
  return names.find((name) => Object.hasOwn(parameters, name));
}

/** Returns why a payment with the `given` parameters must not be sent, or undefined. */
export function ownKeyProblem(
  operation: Operation,
  given: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const key = ownKeyOf(operation);
  if (key === undefined || (given?.[key] !== undefined && given[key] !== '')) return undefined;
  return `${operation.name} needs ${key}, a unique key that you store before the call: without it a second try may pay twice`;
}
