/**
 * The bot of the latency proof as a process. `MILLRACE_PLANT` names a fault to build in.
 *
 *     node latency-bot.ts CONFIG HOME BASE_URL (limited | unlimited) (hooked | plain)
 */

import { join } from 'node:path';
import { ownPlant } from './latency-plants.ts';
import { answerMarks } from './measured-process.ts';

const [config = '', home = '', baseUrl = '', limit = '', spans = ''] = process.argv.slice(2);
const windowMs = 60_000;

/**
 * Lets the call budget forget each call at once, and every quote move; what may be in flight stays
 * bounded.
 */
async function liftCallLimit(): Promise<void> {
  const { CallBudget } = await import('../../../src/execution/requests/call-budget.ts');
  const { replaceMethod } = await import('../../support/replace-method.ts');
  replaceMethod(CallBudget.prototype, 'sent', (real) => {
    return function (this: InstanceType<typeof CallBudget>, nowMs) {
      real.call(this, nowMs - windowMs);
    };
  });
  replaceMethod(CallBudget.prototype, 'countOtherCalls', () => () => {});
  replaceMethod(CallBudget.prototype, 'moveAtMs', () => {
    return function (this: InstanceType<typeof CallBudget>, nowMs) {
      return this.orderAtMs(nowMs);
    };
  });
}

// The hooks cost CPU time even while they measure nothing. They must be loaded first.
const hooks = spans === 'hooked' ? await import('./span-hooks.ts') : undefined;
const { runDemoBot } = await import('../../support/demo-bot.ts');
answerMarks((isOn) => hooks?.spanLog.next(isOn) ?? new Float64Array());
await runDemoBot({
  ...{ config, home, baseUrl },
  strategies: join(import.meta.dirname, '..', 'strategies'),
  prepare: async () => {
    await ownPlant()?.installInBot?.();
    await hooks?.wrapMethods();
    if (limit === 'unlimited') await liftCallLimit();
  },
});
