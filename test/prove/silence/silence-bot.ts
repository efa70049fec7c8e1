/**
 * The bot of the proof of silence as a process. `MILLRACE_PLANT` names a fault to build in.
 *
 *     node silence-bot.ts CONFIG HOME BASE_URL
 */
import { join } from 'node:path';
import { runDemoBot } from '../../support/demo-bot.ts';
import { silencePlants } from './silence-plants.ts';

const [config = '', home = '', baseUrl = ''] = process.argv.slice(2);

await runDemoBot({
  config,
  strategies: join(import.meta.dirname, '..', 'strategies'),
  home,
  baseUrl,
  prepare: () => silencePlants[process.env['MILLRACE_PLANT'] ?? '']?.install?.(),
});
