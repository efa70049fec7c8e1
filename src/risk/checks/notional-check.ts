/**
 * Limits over all strategies: the value of open orders, and the day's turnover if all of them fill.
 * An ask counts at its limit price; it may fill higher, at most by the price collar.
 */
import { amountsOf, type Check, refuseAbove } from '../check.ts';

export const checkNotional: Check = (input, refuse) => {
  const { facts, limits, context, pair, valueUnits, passed } = input;
  const { exposure, nowMs } = facts;
  const counter = pair?.market.counter;
  const { strategyExposure } = context;
  if (counter !== undefined && strategyExposure !== undefined && passed === undefined) {
    const open = strategyExposure.openOfAll.highestUnits + valueUnits;
    const traded = open + exposure.days.turnoverUnits(counter, nowMs);
    if (open <= context.openNotionalMax && traded <= context.turnoverDayMax) return;
  }
  const amounts = amountsOf(input);
  const known = counter !== undefined && amounts !== undefined;
  const open = known ? exposure.openNotional(counter) + amounts.value : undefined;
  const traded = known ? exposure.turnoverDay(counter, nowMs) : undefined;
  refuseAbove(refuse, 'OPEN_NOTIONAL', counter ?? 'counter', {
    passed,
    observed: open,
    limit: counter === undefined ? undefined : limits.openNotionalMax.get(counter),
  });
  refuseAbove(refuse, 'TURNOVER_DAY', counter ?? 'counter', {
    passed,
    observed: open === undefined || traded === undefined ? undefined : open + traded,
    limit: counter === undefined ? undefined : limits.turnoverDayMax.get(counter),
  });
};
