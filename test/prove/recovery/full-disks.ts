/**
 * A database or a journal that takes nothing more, as on a full disk, in a real process.
 *
 * The database: the bot stops its orders and ends, and the next start says what may have been left,
 * and balances. The journal: an incident, and the bot trades on.
 */
import { endAll, eventually, newHome, processesOf } from '../../support/process-bot.ts';
import { truthOf } from '../../support/process-truth.ts';
import { endsWithin, seesWithin, startFaulty } from './demo-process.ts';
import type { RecoveryScenario } from './scenario.ts';

const startMs = 60_000;
const endMs = 45_000;
const trading = / is open \(/u;

export const diskFull: RecoveryScenario = {
  name: 'disk-full',
  runs: 1,
  plants: {
    'store-failure-leaves-orders': 'the bot ends without stopping its orders, and says it did',
    'store-failure-trades-on': 'a commit that fails counts as one that was kept',
  },
  play: (_seed, plant) => inHome((home) => fillDatabase(home, plant)),
};

export const journalFull: RecoveryScenario = {
  name: 'journal-full',
  runs: 1,
  plants: {
    'journal-failure-ends-bot': 'a journal that cannot be written ends the bot',
    'journal-failure-unsaid': 'a journal that cannot be written is no incident',
  },
  play: (_seed, plant) => inHome((home) => fillJournal(home, plant)),
};

async function inHome(
  play: (home: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await play(newHome());
  } finally {
    await endAll();
  }
}

async function fillDatabase(home: string, plant: string | undefined): Promise<readonly string[]> {
  const found: string[] = [];
  const bot = startFaulty(home, { deed: 'full-database', plant });
  if (!(await seesWithin(bot, trading, startMs))) return [`it did not trade: ${bot.text}`];
  bot.signal('SIGUSR2');
  const code = await endsWithin(bot, endMs);
  if (code === undefined) return [`it did not end within ${endMs / 1000} s`];
  if (code !== 1) found.push(`it ended with ${code}, not 1 with its orders proven gone`);
  if (!bot.text.includes('SQLITE_FULL')) found.push('it did not say why it ended');
  // Its simulator ends a little later.
  await eventually(() => processesOf(home).length === 0, endMs);
  const { openAtExchange } = await truthOf(home);
  if (openAtExchange > 0) found.push(`${openAtExchange} orders are open at the exchange`);
  const next = startFaulty(home, {});
  if (!(await seesWithin(next, /orders of earlier runs may be open/u, startMs)))
    found.push('the next start did not say what may be open');
  if (!(await seesWithin(next, trading, startMs))) found.push('the next start did not trade');
  next.signal('SIGINT');
  const nextCode = await endsWithin(next, endMs);
  if (nextCode !== 0) found.push(`the next run ended with ${nextCode}: ${next.text.slice(-500)}`);
  await eventually(() => processesOf(home).length === 0, endMs);
  return [...found, ...(await truthOf(home)).differences];
}

async function fillJournal(home: string, plant: string | undefined): Promise<readonly string[]> {
  const bot = startFaulty(home, { deed: 'full-journal', plant });
  if (!(await seesWithin(bot, trading, startMs))) return [`it did not trade: ${bot.text}`];
  bot.signal('SIGUSR2');
  const found: string[] = [];
  if (!(await seesWithin(bot, /JOURNAL_ENDED/u, 15_000)))
    found.push('no incident names the journal');
  if (bot.hasEnded) return [...found, 'it ended'];
  bot.signal('SIGINT');
  const code = await endsWithin(bot, endMs);
  if (code !== 0) found.push(`it ended with ${code}: ${bot.text.slice(-500)}`);
  return found;
}
