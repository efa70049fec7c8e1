/**
 * The shipped strategies: each is as short as it is said to be, its scenario gives the same orders
 * and fills as when its page was written, and it neither crosses itself, leaves orders behind nor
 * exceeds its budget: in its scenario, on an account that begins with the counter currency only,
 * and in a demo that runs all of them side by side.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { strategyFrom } from '../../../src/cli/projects/strategy-template.ts';
import { codeTextOf } from '../../support/code-text.ts';
import { packageRoot } from '../../support/package-root.ts';
import { endAll, millrace } from '../../support/process-bot.ts';
import { runShipped, type ShippedPlant } from '../../support/shipped-runs.ts';
import { shippedPlugins } from '../../support/source-files.ts';
import type { StrategyList, StrategyListOptions, StrategyListResult } from './list.ts';

const plants: Readonly<Record<ShippedPlant, string>> = {
  crosses: 'a bid of a strategy is above its ask',
  leaves: 'an order is left when a run has ended',
  exceeds: 'a fill is a thousand times as large',
  'other-run': 'a run has other orders than its scenario expects',
};

/** What `test/unit/strategies` tests each one against. */
const oracles: Readonly<Record<string, string>> = {
  avellaneda: 'the average spreads of the paper, gamma near 0, nothing before the estimates',
  'bollinger-reversion': 'the z-score of four closes, at the band and beyond it',
  donchian: 'the channel of the candles before, at its edge and beyond it',
  glft: 'the exact solution of the paper within 1 %',
  'imbalance-mm': 'the middle by the z-score of three imbalances, and by the position',
  'imbalance-taker': 'the trigger, one order for each, nothing if the fee is more than the rise',
  'join-the-bid': 'a bid at the best bid until the budget is used up',
  'ma-cross': 'the crossing of two averages, and one order for each candle',
  'ping-pong': 'one side at a time, never below cost with both fees',
  pmm: 'levels and fees by hand, the pause after a fill, the sides that the band allows',
  rebalance: 'the target from outside the band, nothing within it',
  'rsi-reversion': 'entry, stop, target and index by hand, no purchase after a stop',
  'simple-mm': 'quotes at their distance, never crossing, kept within the tolerance',
};

const demoSeconds = 120;
const demoSecondsSmall = 20;

async function run({ plant, isSmall }: StrategyListOptions): Promise<StrategyListResult> {
  const names = plant === undefined ? shippedPlugins : ['simple-mm'];
  const demo =
    plant === undefined ? await demoOrders(isSmall ? demoSecondsSmall : demoSeconds) : undefined;
  const notes = [...(demo?.problems ?? [])];
  const entries = [];
  for (const name of names) {
    console.error(`strategies: ${name}`);
    const both = await runShipped(name, 'both', plant as ShippedPlant | undefined);
    const counterOnly = await runShipped(name, 'counter only');
    const violations = [
      ...both.violations,
      ...counterOnly.violations,
      ...(demo?.left.has(name) === true ? ['orders are left in the demo'] : []),
      ...(oracles[name] === undefined ? ['it is tested against nothing'] : []),
    ];
    notes.push(...violations.map((text) => `${name}: ${text}`));
    entries.push({
      ...{ name, codeLines: codeLinesOf(name), oracle: oracles[name], backtestHash: both.hash },
      ...{ orders: both.orders, fills: both.fills, counterOnlyFills: counterOnly.fills },
      ...{ demoOrders: demo?.counts.get(name) ?? 0, violations: violations.length },
    });
  }
  return { entries, violations: notes.length, notes };
}

/** Counts the lines of a strategy without comments and empty ones. */
function codeLinesOf(name: string): number {
  const text = readFileSync(join(packageRoot, 'strategies', name, 'strategy.ts'), 'utf8');
  return codeTextOf(text)
    .withStrings.split('\n')
    .filter((line) => line.trim() !== '').length;
}

type DemoOrders = {
  /** How many orders each strategy had. */
  readonly counts: ReadonlyMap<string, number>;
  /** The strategies with an order that has not ended. */
  readonly left: ReadonlySet<string>;
  readonly problems: readonly string[];
};

/** Runs all of them side by side against the simulated exchange, as their templates say. */
async function demoOrders(seconds: number): Promise<DemoOrders> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-shipped-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "name": "shipped", "type": "module" }');
    const settings = shippedPlugins.flatMap((name) =>
      strategyFrom(packageRoot, { template: name, name }).settings.map((line) =>
        line.replace(/plugin: .*$/u, `plugin: ${name}`),
      ),
    );
    const head = 'version: 1\nbot: shipped\nmode: demo\nvenue: simulator\nlimits: learner';
    writeFileSync(join(folder, 'bot.yaml'), `${head}\nstrategies:\n${settings.join('\n')}\n`);
    const words = ['start', 'bot.yaml', '--home', 'home', '--json', '--for', `${seconds}s`];
    const bot = millrace(words, { cwd: folder });
    const { code } = await bot.ended;
    if (code !== 0)
      return { counts: new Map(), left: new Set(), problems: [`the demo: ${bot.stderr}`] };
    const database = new Database(join(folder, 'home/shipped.sqlite'), { readonly: true });
    const rows = database
      .prepare('SELECT strategy_id AS id, state, COUNT(*) AS count FROM orders GROUP BY 1, 2')
      .all() as { readonly id: string; readonly state: string; readonly count: number }[];
    database.close();
    const counts = new Map<string, number>();
    for (const { id, count } of rows) counts.set(id, (counts.get(id) ?? 0) + count);
    const ended = /^(?:filled|cancelled|rejected|unsent|absent)$/u;
    const left = new Set(rows.filter(({ state }) => !ended.test(state)).map(({ id }) => id));
    return { counts, left, problems: counts.size === 0 ? ['the demo had no order'] : [] };
  } finally {
    await endAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const shippedList: StrategyList = { name: 'strategies', plants, run };
