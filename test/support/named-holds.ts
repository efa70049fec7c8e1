/** Holds of an exposure by name, for tests without an executor whose orders keep them. */
import type { Exposure, ExposureFill, Hold } from '../../src/risk/exposure.ts';
import type { Receipt } from '../../src/risk/funds.ts';
import type { HeldOrder } from '../../src/risk/open-orders.ts';

const holds = new WeakMap<Exposure, Map<string, Hold>>();
const receipts = new WeakMap<Exposure, Map<string, Receipt>>();

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
  const receipt = exposure.fill({ ...fill, hold: heldAs(exposure, holdId) });
  if (receipt === undefined) return;
  const named = receipts.get(exposure) ?? new Map<string, Receipt>();
  receipts.set(exposure, named.set(fill.key, receipt));
}

/** Notes that the ledger has a fill, with what it brought. */
export function settleAs(exposure: Exposure, key: string): void {
  exposure.funds.settle(key);
  const receipt = receipts.get(exposure)?.get(key);
  if (receipt !== undefined) exposure.funds.include(receipt);
}
