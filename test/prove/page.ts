/**
 * `npm run prove -- page`: the pages in a real browser. A real demo bot trades on the simulated
 * exchange; each panel of its live page is compared with its status and its database, commands are
 * sent, the bot is killed, and requests of other pages are refused. Pictures go to a folder that
 * the result names.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, newHome } from '../support/process-bot.ts';
import { checkGroups } from './page/check-groups.ts';
import { createCheckLog } from './page/check-log.ts';
import { findChromium, launchChromium } from './page/chromium.ts';
import { heapGrowth, loadFigures, paintFigures, reachFigures } from './page/load-figures.ts';
import { startPageBot } from './page/page-bot.ts';
import { pagePlants } from './page/page-plants.ts';
import { checkSecurity } from './page/security-checks.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

const goals = {
  checksMin: 80,
  securityChecksMin: 15,
  secondsToFirstPaintMax: 1,
  loopShareMax: 0.02,
  /** On a slow machine `eventToBacktestMax` is enough. */
  secondsToEventMax: 3,
  eventToBacktestMax: 1.5,
  heapBytesPerMinuteMax: 2_000_000,
};
const fillsOfHistory = 100_000;

async function run(options: ProverOptions): Promise<ProverResult> {
  const executable = findChromium();
  if (executable === undefined)
    return {
      figures: {},
      violations: 0,
      notes: [],
      missing: ['Chromium: install it, for example by `apt-get install chromium` as root'],
    };
  const browser = await launchChromium(executable);
  const folder = join(tmpdir(), 'millrace-page-pictures');
  mkdirSync(folder, { recursive: true });
  try {
    const { tools, counts, problems } = createCheckLog(browser, folder, options.plant);
    const { plant } = options;
    const groups = checkGroups.filter(
      ({ plants = [] }) => plant === undefined || plants.includes(plant),
    );
    for (const group of groups) await group.run(tools);
    const checked = { checks: counts.checks, pictures: folder, browser: browser.version() };
    // A plant is in the page, and what follows does not look at it.
    if (options.plant !== undefined)
      return { figures: checked, violations: problems.length, notes: problems };
    const security = await checkSecurity();
    const bot = await startPageBot({ home: newHome(), state: newHome() });
    const load = await loadFigures(browser, bot, options.rounds ?? (options.isSmall ? 1 : 4));
    const heap = await heapGrowth(browser, bot, options.isSmall ? 20 : 60);
    await bot.process.kill();
    const paint = await paintFigures(browser, fillsOfHistory);
    const reach = await reachFigures(options.isSmall ? 1 : 3);
    const figures = {
      ...checked,
      securityChecks: security.checks,
      ...paint,
      ...load,
      ...reach,
      heapBytesPerMinute: heap,
      goals,
    };
    const missed = [
      ...(counts.checks < goals.checksMin ? ['too few checks'] : []),
      ...(security.checks < goals.securityChecksMin ? ['too few security checks'] : []),
      ...(paint.secondsToFirstPaint < goals.secondsToFirstPaintMax ? [] : ['the first paint']),
      ...(load.loopShare < goals.loopShareMax ? [] : ['the share of the trading loop']),
      ...(reach.secondsToEvent < goals.secondsToEventMax ||
      reach.eventToBacktest < goals.eventToBacktestMax
        ? []
        : ['the time until debug shows an event']),
      ...(heap < goals.heapBytesPerMinuteMax ? [] : ['the memory of an open page']),
    ].map((goal) => `goal missed: ${goal}`);
    const notes = [...problems, ...security.problems, ...missed];
    return { figures, violations: notes.length, notes };
  } finally {
    await browser.close();
    await endAll();
  }
}

export const pageProver: Prover = {
  name: 'page',
  title: 'each page shows what is true, commands and recovers, in a real browser',
  compared: ['checks'],
  plants: pagePlants,
  run,
};
