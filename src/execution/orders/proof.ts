/** What proves a state of an order. */
import type { TrackedOrder } from './tracked-order.ts';

/** A text, or how to describe the order if most are never read. */
export type Proof = string | ((order: TrackedOrder) => string);

/** Returns the text of `proof`. */
export function proofText(proof: Proof, order: TrackedOrder): string {
  return typeof proof === 'string' ? proof : proof(order);
}
