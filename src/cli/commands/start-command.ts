/**
 * `millrace start`: runs the simulator and a bot with its strategy; needs no API key. In mode paper
 * the bot gets the simulator's read-only key, because its orders go to no exchange.
 */

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunChoices } from '../../bot/bot-options.ts';
import { runBot } from '../../bot/foreground.ts';
import { requirePrivateHome } from '../../bot/guards/private-home.ts';
import { checkTransportEnvironment } from '../../bot/keys/transport-environment.ts';
import { servePage } from '../../bot/serve-page.ts';
import { withSimulator } from '../../bot/start/bot-venue.ts';
import { flowBotYaml, profileFlowFolder } from '../../bot/start/flow-demo.ts';
import { forgetState } from '../../bot/start/forget-state.ts';
import { listMarkets } from '../../bot/start/list-markets.ts';
import { loadBot } from '../../bot/start/load-bot.ts';
import { refuseSharedExchange, tellingIfRunning } from '../../bot/start/second-start.ts';
import { type SimulatorChild, startSimulatorChild } from '../../bot/start/simulator-process.ts';
import { startWarnings } from '../../bot/start/start-warnings.ts';
import { simulatorFolder, statePlaceOf } from '../../bot/state-place.ts';
import { ConfigError } from '../../domain/errors.ts';
import { readyFeeds } from '../../feeds/feed-secrets.ts';
import { createClock } from '../../runtime/clock.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import { prepareStorePath } from '../../store/open-database.ts';
import { takeStoreLock } from '../../store/store-lock.ts';
import { botCommand } from '../../terminal/command-hints.ts';
import { simulatorKeysIn } from '../../venues.ts';

export type StartCommandOptions = RunChoices & {
  /** Undefined uses the settings of the demo, or settings made for the flow. */
  readonly config: string | undefined;
  /** The demo's settings. */
  readonly shipped: string;
  /** `paper` paper-trades against the simulator's market stream; undefined for the settings' mode. */
  readonly mode: 'demo' | 'paper' | undefined;
  readonly home: string;
  /** Whether to delete the state of earlier runs first. */
  readonly fresh: boolean;
  readonly seed: string;
  /** A folder with recorded order flow to trade in, instead of the simulated participants. */
  readonly flow: string | undefined;
  readonly speed: number;
};

/** Prints the markets of the exchange on which the demo would run; returns the exit code. */
export async function listStartMarkets(options: StartCommandOptions): Promise<number> {
  const { output, workspace, seed } = options;
  const { home, config, more } = await flowOptions(options);
  const { store, venue } = loadBotSettings(config, { workspace, home });
  const place = statePlaceOf(store, home);
  requirePrivateHome(place.home);
  const parts = { clock: createClock(), timers: createTimers() };
  const tell = { onLost: (text: string) => output.line(`! ${text}`), onBack: () => {} };
  return withSimulator(
    loadVenue(venue, workspace.venues),
    { home, store: place.store },
    () => startSimulatorChild({ home, seed, more, ...parts, ...tell }),
    (own) => listMarkets(own, output),
  );
}

/** Runs the demo; returns the exit code. */
export async function runStart(options: StartCommandOptions): Promise<number> {
  const { output, workspace } = options;
  checkTransportEnvironment(options.environment);
  const { home, config, more } = await flowOptions(options);
  const {
    settings: loaded,
    plugins,
    venue,
    egressCaps,
  } = await loadBot(config, { workspace, home }, ({ mode }) => {
    if (mode === (options.mode ?? mode) && mode !== 'live') return;
    const place = { config, workspace };
    throw new ConfigError(
      mode === 'live'
        ? `${config}: mode is live, but start runs only demo and paper; to trade real money: ${botCommand('run', { ...place, home: undefined }, '--live')}`
        : `${config}: mode is ${mode}; start it with: ${botCommand('start', { ...place, home }, `--mode ${mode}`)}`,
    );
  });
  const { source: _source, capture, dashboard, feedSources, ...settings } = loaded;
  const warnings = startWarnings(loaded, plugins);
  for (const text of warnings) output.line(`! ${text}`);
  const feeds = readyFeeds(feedSources, settings.strategies, options.environment);
  const isPaper = settings.mode === 'paper';
  const place = statePlaceOf(settings.store, home);
  requirePrivateHome(place.home);
  // Before any file is changed, because a running bot may use this home.
  const starting = { bot: settings.bot, config: resolve(config), home, workspace };
  const lock = await tellingIfRunning(starting, () => {
    refuseSharedExchange(starting);
    return takeStoreLock(prepareStorePath(place.store));
  });
  const clock = createClock();
  const timers = createTimers();
  const own = { ...settings, store: place.store };
  const { environment } = options;
  const served = { settings: own, dashboard, home: place.home, environment, clock, timers, output };
  const page = await servePage(served);
  output.line(`starts the bot of ${config} on a simulated exchange`);
  const begin = async (): Promise<SimulatorChild> => {
    if (options.fresh) await forgetState(place, { clock, timers });
    return startSimulatorChild({
      home,
      seed: options.seed,
      more,
      clock,
      timers,
      onLost: (text) => output.line(`! ${text}`),
      onBack: () => output.line('! the simulator is running again'),
    });
  };
  const simulator = await begin().finally(() => lock.release());
  output.line(`simulated exchange at ${simulator.address.baseUrl} (process ${simulator.pid})`);
  try {
    const keys = simulatorKeysIn(simulatorFolder(home));
    return await runBot({
      ...options,
      settings: own,
      venue: { ...venue, ...simulator.address },
      credentials: isPaper ? keys.readOnly : keys.trading,
      acceptedPermissions: [],
      egressCaps,
      ordersGoTo: isPaper ? 'replay' : 'simulator',
      liveFlag: false,
      home,
      config: resolve(config),
      plugins,
      capture,
      feeds,
      page,
      isSupervised: false,
      clock,
      timers,
    });
  } finally {
    await simulator.close();
  }
}

type FlowOptions = {
  readonly home: string;
  readonly config: string;
  readonly more: readonly string[];
};

/**
 * Recorded order flow gets an exchange, a bot and a state of its own, in a folder for each
 * recording and speed.
 */
async function flowOptions(options: StartCommandOptions): Promise<FlowOptions> {
  const { flow, speed, home, mode, workspace } = options;
  if (flow === undefined) return { home, config: options.config ?? options.shipped, more: [] };
  if (mode === 'paper' && options.config === undefined)
    throw new ConfigError(
      '--flow with --mode paper needs a settings file with mode: paper for its market',
    );
  const profile = await profileFlowFolder(flow);
  const own = join(home, `flow-${profile.digest.slice(0, 8)}-x${speed}`);
  makeFolder(own);
  const written = join(own, 'flow.yaml');
  if (options.config === undefined)
    writeFileSync(written, flowBotYaml(profile, { speed, path: written, folder: flow, workspace }));
  return {
    home: own,
    config: options.config ?? written,
    more: ['--flow', flow, '--speed', String(speed)],
  };
}
