/**
 * All strategies together: the value of open orders, and the value traded today if all of them
 * fill. An ask counts at its limit price; it may fill higher, by no more than the collar allows.
 */
import { type Check, refuseAbove } from '../check.ts';

export const checkNotional: Check = ({ facts, limits, pair, amounts }, refuse) => {
  const counter = pair?.market.counter;
  const known = counter !== undefined && amounts !== undefined;
  const open = known ? facts.exposure.openNotional(counter) + amounts.value : undefined;
  const traded = known ? facts.exposure.turnoverDay(counter, facts.nowMs) : undefined;
  refuseAbove(refuse, 'OPEN_NOTIONAL', counter ?? 'counter', {
    observed: open,
    limit: counter === undefined ? undefined : limits.openNotionalMax.get(counter),
  });
  refuseAbove(refuse, 'TURNOVER_DAY', counter ?? 'counter', {
    observed: open === undefined || traded === undefined ? undefined : open + traded,
    limit: counter === undefined ? undefined : limits.turnoverDayMax.get(counter),
  });
};
