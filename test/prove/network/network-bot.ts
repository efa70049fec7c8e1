/**
 * The bot of the network proof as a process. `MILLRACE_PLANT` names a bug to build in.
 *
 *     node network-bot.ts HOME BASE_URL
 */
import { join } from 'node:path';
import { runDemoBot } from '../../support/demo-bot.ts';
import { networkPlantOf } from './network-plants.ts';

const [home = '', baseUrl = ''] = process.argv.slice(2);

await runDemoBot({
  config: join(import.meta.dirname, 'network-bot.yaml'),
  strategies: join(import.meta.dirname, '..', 'strategies'),
  home,
  baseUrl,
  prepare: () => {
    const plant = process.env['MILLRACE_PLANT'];
    if (plant !== undefined) networkPlantOf(plant).install?.();
  },
});
