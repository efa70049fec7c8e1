/** Holds of an exposure by name, for tests without an executor whose orders keep them. */
import type { Exposure, ExposureFill, Hold } from '../../src/risk/exposure.ts';
import type { HeldOrder } from '../../src/risk/open-orders.ts';

const holds = new WeakMap<Exposure, Map<string, Hold>>();

/** Holds an order under a name. */
export function holdAs(exposure: Exposure, name: string, order: HeldOrder, nowMs: number): void {
  const named = holds.get(exposure) ?? new Map<string, Hold>();
  holds.set(exposure, named.set(name, exposure.hold(order, nowMs)));
}

/** Returns the last hold of a name; undefined if there was none. */
export function heldAs(exposure: Exposure, name: string): Hold | undefined {
  return holds.get(exposure)?.get(name);
}

export type NamedFill = Omit<ExposureFill, 'hold'> & { readonly holdId: string };

/** Counts a fill of the order that is held under a name. */
export function fillAs(exposure: Exposure, { holdId, ...fill }: NamedFill): void {
  exposure.fill({ ...fill, hold: heldAs(exposure, holdId) });
}
