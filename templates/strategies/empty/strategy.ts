/** A strategy that places nothing yet: it says so at each change of the best prices. */
import { defineStrategy, type Intent } from 'millrace';
import { map } from 'rxjs';
import { z } from 'zod';

export default defineStrategy({
  name: 'empty',
  parameters: z.strictObject({}),
  pairs: 1,
  run({ pairs: [market] }) {
    if (market === undefined) throw new RangeError('one pair is needed');
    const { pair } = market;
    return market.top$.pipe(map((): Intent => ({ kind: 'idle', pair, reason: 'has no rule yet' })));
  },
});
