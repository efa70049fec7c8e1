/** A strategy of the shape that holds; it uses every member of what the shape gives it. */
import { z } from 'zod';
import { holdStrategy, param } from '../../../../src/index.ts';
import { MemberUses } from './member-uses.ts';

const uses = new MemberUses();
let asked = 0;

export default holdStrategy({
  name: 'hold-moment',
  parameters: { fast: param(z.int(), { description: 'Candles.', default: 2, from: 1, to: 10 }) },
  history: ({ fast }) => fast,
  on: 'change',
  hold: (moment) => {
    const { market, context } = moment;
    asked++;
    uses.use('HoldMoment', moment as never, market);
    if (asked < 20) return { share: asked > 10 ? 0.5 : 1, why: 'half of it, later', tag: 'entry' };
    if (asked === 20) for (const line of uses.lines()) context.log(line);
    return { share: 0, why: 'every member was used', isLast: true };
  },
});
