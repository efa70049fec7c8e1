/** The trades of this UTC day have not lost what a day may lose. */
import { formatAtoms } from '../amount.ts';
import type { Check } from '../check.ts';

export const checkLossDay: Check = ({ facts, limits, pair }, refuse) => {
  const counter = pair?.market.counter;
  const limit = counter === undefined ? undefined : limits.lossDayMax.get(counter);
  const loss =
    counter === undefined
      ? undefined
      : facts.exposure.lossDay(counter, facts.nowMs, (name) => {
          const traded = facts.pairs.get(name);
          return traded?.bookUsable === true ? traded.mid2 : undefined;
        });
  // At the limit is too late: the next fill could only go beyond it.
  if (loss !== undefined && limit !== undefined && loss < limit) return;
  const text = (atoms: bigint | undefined) =>
    atoms === undefined ? 'missing' : formatAtoms(atoms);
  refuse('LOSS_DAY', text(loss), text(limit), counter ?? 'counter');
};
