/**
 * The bot of the crash proof as a process: the real parts of `millrace run`, with a strategy that
 * does not ship and a simulator at any port. `MILLRACE_PLANT` names a bug to build in.
 *
 *     node crash-bot.ts HOME BASE_URL
 */
import { join } from 'node:path';
import { runBot } from '../../src/bot/foreground.ts';
import { preparePlugins } from '../../src/bot/start/prepare-plugins.ts';
import { simulatorFolder } from '../../src/bot/state-place.ts';
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { loadBotSettings } from '../../src/settings/load-bot-settings.ts';
import { readCredentials } from '../../src/simulator/server/credentials-file.ts';
import { exitCodeOf } from '../../src/terminal/exit-code.ts';
import { Output } from '../../src/terminal/output.ts';
import { dieAtMarkedCommit } from './crash-at-commit.ts';
import { installCrashPlant } from './crash-plants.ts';

const config = join(import.meta.dirname, 'crash-bot.yaml');
const [home = '', baseUrl = ''] = process.argv.slice(2);
const output = new Output({ isJson: true, stdout: process.stdout, stderr: process.stderr });

try {
  const plant = process.env['MILLRACE_PLANT'];
  if (plant !== undefined) await installCrashPlant(plant);
  dieAtMarkedCommit(home);
  const { source, capture, ...settings } = loadBotSettings(config, { cwd: home });
  const strategies = join(import.meta.dirname, 'strategies');
  const plugins = await preparePlugins({ ...settings, source }, strategies);
  const issued = readCredentials(simulatorFolder(home));
  process.exitCode = await runBot({
    settings,
    venue: {
      name: 'simulator',
      baseUrl,
      streamUrl: baseUrl.replace('http', 'ws'),
      paths: {},
      userStreamPath: '/api/1/userstream',
    },
    credentials: { keyId: issued.api_key_id, keySecret: issued.api_key_secret },
    acceptedPermissions: [],
    egressCaps: undefined,
    ordersGoTo: 'simulator',
    liveFlag: false,
    home,
    config,
    plugins,
    capture,
    forMs: undefined,
    // Whoever kills it a hundred times does not want it halted.
    isSupervised: false,
    resumeReason: undefined,
    isAdopting: false,
    environment: {},
    logLevel: 'info',
    clock: createClock(),
    timers: createTimers(),
    output,
  });
} catch (error) {
  output.problem(error);
  process.exitCode = exitCodeOf(error);
}
