/**
 * The bot of the crash proof as a process. `MILLRACE_PLANT` names a bug to build in.
 *
 *     node crash-bot.ts HOME BASE_URL
 */
import { join } from 'node:path';
import { runDemoBot } from '../support/demo-bot.ts';
import { dieAtMarkedCommit } from './crash-at-commit.ts';
import { installCrashPlant } from './crash-plants.ts';

const [home = '', baseUrl = ''] = process.argv.slice(2);

await runDemoBot({
  config: join(import.meta.dirname, 'crash-bot.yaml'),
  strategies: join(import.meta.dirname, 'strategies'),
  home,
  baseUrl,
  prepare: async () => {
    const plant = process.env['MILLRACE_PLANT'];
    if (plant !== undefined) await installCrashPlant(plant);
    dieAtMarkedCommit(home);
  },
});
