/** A strategy that asks for nothing, for measurements of what idle time costs. */
import { NEVER } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '../../../../src/index.ts';

export default defineStrategy<Record<never, never>>({
  name: 'idler',
  parameters: z.strictObject({}),
  pairs: 1,
  run: () => NEVER,
});
