/** Draws the stops of some of the orders of a random history. */
import type { StopCondition } from '../../src/domain/limit-order.ts';
import type { Ticks } from '../../src/domain/money.ts';
import type { Exposure } from '../../src/risk/exposure.ts';
import { amount } from './gate-oracle-amount.ts';
import type { OracleOrder } from './gate-oracle-types.ts';
import { decimalText } from './gate-rules.ts';
import { fillAs, heldAs, type NamedFill } from './named-holds.ts';
import type { SeededRandom } from './seeded-random.ts';

export type DrawnStop = {
  readonly stop: StopCondition | undefined;
  readonly ofOracle: OracleOrder['stop'];
};

/** Returns a stop within 3 % of `price`, on either side of the last trade. */
export function drawStop(random: SeededRandom, price: Ticks, priceScale: number): DrawnStop {
  if (random.integer(1, 6) > 1) return { stop: undefined, ofOracle: undefined };
  const direction = random.pick(['ABOVE', 'BELOW'] as const);
  const stopPrice = Math.round(price * (0.97 + random.fraction() * 0.06)) as Ticks;
  return {
    stop: { direction, price: stopPrice },
    ofOracle: { direction, price: amount(decimalText(stopPrice, priceScale)) },
  };
}

/** Counts a fill of an order, which shows that it was triggered. */
export function fillTriggered(exposure: Exposure, id: string, fill: NamedFill): void {
  exposure.trigger(heldAs(exposure, id));
  fillAs(exposure, fill);
}
