/**
 * The caller's own key of a payment. A request that moves money and had no answer can only be asked
 * again, or looked up, under a key that the caller made and kept before it left; without one a
 * second try may pay twice. The documents leave most of these keys optional; here they are not.
 *
 * Orders are left out: the bot's have their `client_order_id` by the executor, and the egress guard
 * compares it.
 */
import type { Operation } from '../exchange-api/operation.ts';

/** What the operations call it; each has one at most. */
const names = [
  'idempotency_key',
  'client_move_id',
  'external_id',
  'externalId',
  'clientTransferId',
] as const;

/** Returns the name of the parameter by which a payment is repeated safely; undefined if none. */
export function ownKeyOf({ repeat, parameters }: Operation): string | undefined {
  if (repeat !== 'keyed') return undefined;
  return names.find((name) => Object.hasOwn(parameters, name));
}

/** Returns why a payment with `given` parameters may not leave, or undefined if it may. */
export function ownKeyProblem(
  operation: Operation,
  given: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const key = ownKeyOf(operation);
  if (key === undefined || (given?.[key] !== undefined && given[key] !== '')) return undefined;
  return `${operation.name} needs ${key}, a key of your own that you kept before: without it a second try may pay twice`;
}
