/**
 * All strategies together: the value of open orders, and the value traded today if all of them
 * fill. An ask counts at its limit price; it may fill higher, by no more than the collar allows.
 */
import { amountsOf, type Check, refuseAbove } from '../check.ts';

export const checkNotional: Check = (question, refuse) => {
  const { facts, limits, route, pair, valueUnits } = question;
  const { exposure, nowMs } = facts;
  const counter = pair?.market.counter;
  if (counter !== undefined && route.line !== undefined) {
    const open = route.line.openOfAll.highestUnits + valueUnits;
    const traded = open + exposure.days.turnoverUnits(counter, nowMs);
    if (open <= route.openNotionalMax && traded <= route.turnoverDayMax) return;
  }
  const amounts = amountsOf(question);
  const known = counter !== undefined && amounts !== undefined;
  const open = known ? exposure.openNotional(counter) + amounts.value : undefined;
  const traded = known ? exposure.turnoverDay(counter, nowMs) : undefined;
  refuseAbove(refuse, 'OPEN_NOTIONAL', counter ?? 'counter', {
    observed: open,
    limit: counter === undefined ? undefined : limits.openNotionalMax.get(counter),
  });
  refuseAbove(refuse, 'TURNOVER_DAY', counter ?? 'counter', {
    observed: open === undefined || traded === undefined ? undefined : open + traded,
    limit: counter === undefined ? undefined : limits.turnoverDayMax.get(counter),
  });
};
