/**
 * A whole bot in this process, for programs that start one with a strategy that does not ship, or
 * with a bug built in: the real parts of `millrace run`, against a simulator at any address.
 */
import { runBot } from '../../src/bot/foreground.ts';
import { servePage } from '../../src/bot/serve-page.ts';
import { preparePlugins } from '../../src/bot/start/prepare-plugins.ts';
import { simulatorFolder, statePlaceOf } from '../../src/bot/state-place.ts';
import { readyFeeds } from '../../src/feeds/feed-secrets.ts';
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { loadBotSettings } from '../../src/settings/load-bot-settings.ts';
import { exitCodeOf } from '../../src/terminal/exit-code.ts';
import { Output } from '../../src/terminal/output.ts';
import { readCredentials } from '../../src/venues/luno/simulator/server/credentials-file.ts';
import { workspace } from './package-root.ts';

export type DemoBotOptions = {
  /** Path of the bot's YAML. */
  readonly config: string;
  /** The folder of its plugins. */
  readonly strategies: string;
  /** Holds the database, and the simulator's folder with its keys. */
  readonly home: string;
  readonly baseUrl: string;
  /** Called before anything of the bot is loaded or opened. */
  readonly prepare: () => Promise<void> | void;
};

/** Runs the bot until it is asked to stop, and sets the exit code of the process. */
export async function runDemoBot(options: DemoBotOptions): Promise<void> {
  const { config, strategies, home, baseUrl } = options;
  const output = new Output({
    workspace,
    isJson: true,
    stdout: process.stdout,
    stderr: process.stderr,
  });
  try {
    await options.prepare();
    const { source, capture, dashboard, feedSources, ...settings } = loadBotSettings(config, {
      workspace,
      home,
    });
    const plugins = await preparePlugins({ ...settings, source }, strategies);
    const issued = readCredentials(simulatorFolder(home));
    const own = { ...settings, store: statePlaceOf(settings.store, home).store };
    const parts = { environment: {}, clock: createClock(), timers: createTimers(), output };
    process.exitCode = await runBot({
      ...parts,
      page: await servePage({ ...parts, settings: own, dashboard, home }),
      workspace,
      settings: own,
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
      feeds: readyFeeds(feedSources, settings.strategies, {}),
      capture,
      forMs: undefined,
      // A prover that kills its bot again and again does not want it halted for that.
      isSupervised: false,
      resumeReason: undefined,
      again: [],
      isAdopting: false,
      isPlain: true,
      logLevel: 'info',
    });
  } catch (error) {
    output.problem(error);
    process.exitCode = exitCodeOf(error);
  }
}
