/** A strategy of the shape that quotes; it uses every member of what the shape gives it. */
import { quoteStrategy } from '../../../../src/index.ts';
import { MemberUses } from './member-uses.ts';

const uses = new MemberUses();
let asked = 0;

export default quoteStrategy({
  name: 'quote-moment',
  parameters: {},
  levels: () => 2,
  halfSpread: () => 0.004,
  lean: (position) => -position.base / 1_000,
  requote: (market) => market.candle$(1_000),
  quote: (moment) => {
    const { market, mid, context } = moment;
    asked++;
    uses.use('QuoteMoment', moment as never, market);
    if (asked < 20)
      return {
        bid: [mid * 0.996, { price: mid * 0.995, size: '0.001', tag: 'far' }],
        ask: mid * 1.004,
        why: 'around the middle',
      };
    for (const line of uses.lines()) context.log(line);
    return { done: 'every member was used' };
  },
});
