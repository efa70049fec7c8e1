/**
 * Limits over all strategies: the value of open orders, and the day's turnover if all of them fill.
 * An ask counts at its limit price; it may fill higher, at most by the price collar.
 */
import { type Check, plus, refuseAbove } from '../check.ts';

export const checkNotional: Check = ({ facts, context, value, passed }, refuse) => {
  const { counter, totals, max } = context;
  const open = plus(counter, totals.openOfAll.highest, value);
  const traded = plus(counter, open, facts.exposure.days.turnoverOf(counter, facts.nowMs));
  refuseAbove(refuse, 'OPEN_NOTIONAL', counter, {
    passed,
    observed: open,
    limit: max.openNotional,
  });
  refuseAbove(refuse, 'TURNOVER_DAY', counter, {
    passed,
    observed: traded,
    limit: max.turnoverDay,
  });
};
