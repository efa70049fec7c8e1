/**
 * The standstill part of the crash proof: a trading bot is stopped for minutes, as a closed laptop
 * does it, and continued. Nothing that it had wished for before may reach the exchange afterwards,
 * and nothing at all before it has compared everything.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalRunsIn } from '../../src/bot/journal/journal-segments.ts';
import type { EngineEvent } from '../../src/engine/event.ts';
import { decodeLine } from '../../src/engine/journal.ts';
import { CrashHome } from './crash-home.ts';
import { judgeHome } from './crash-judge.ts';

export type Standstill = {
  readonly standstillSeconds: number;
  /** Orders that left between the bot's awaking and the end of its comparison. */
  readonly ordersBeforeComparison: number;
  readonly said: readonly string[];
};

const tradingMs = 3_000;
const awakeMs = 60_000;

/** Stops a bot for `seconds` in the middle of trading. */
export async function standStill(seconds: number): Promise<Standstill> {
  const home = new CrashHome(2_000);
  const bot = await home.begin();
  await bot.sees(/ is open \(/u);
  await pause(tradingMs);
  bot.signal('SIGSTOP');
  await pause(seconds * 1_000);
  const reconciled = bot.text.match(/reconciled: /gu)?.length ?? 0;
  bot.signal('SIGCONT');
  const timeout = AbortSignal.timeout(awakeMs);
  const isAwake = bot.sees(/reconciled: /u, reconciled + 1);
  const tooLate = new Promise((resolve) => timeout.addEventListener('abort', resolve));
  await Promise.race([isAwake, tooLate]);
  await pause(tradingMs);
  await home.stop();
  const { violations } = await judgeHome(home.path, home.database);
  const [{ path: journal } = { path: '' }] = journalRunsIn(join(home.path, 'journal'));
  const ordersBeforeComparison = ordersInDoubt(journal);
  // A commit in the middle of which the process stood still took as long as that.
  const wrong = violations.filter((one) => !one.startsWith('incident STORE_SLOW:'));
  const said = [...home.faults, ...wrong];
  if (ordersBeforeComparison !== 0)
    said.push(`K5 ${ordersBeforeComparison} orders left before the comparison was done`);
  return { standstillSeconds: seconds, ordersBeforeComparison, said };
}

/** Counts orders in the journal that left between the standstill and the next comparison. */
function ordersInDoubt(path: string): number {
  const inDoubt = new Set<number>();
  let isInDoubt = false;
  let wasPaused = false;
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const block = decodeLine(line);
    if (block?.kind !== 'batch') continue;
    for (const [, encoded] of block.events) {
      const event = encoded as EngineEvent;
      // The driver kept it back.
      if (event.kind === 'reply' && event.reply.kind === 'not-sent') inDoubt.delete(event.request);
      if (event.kind !== 'paused') continue;
      isInDoubt = true;
      wasPaused = true;
    }
    for (const effect of block.effects) {
      if (effect.kind === 'request' && effect.call.kind === 'place' && isInDoubt)
        inDoubt.add(effect.request);
      if (effect.kind === 'notice' && effect.notice.text.startsWith('reconciled: '))
        isInDoubt = false;
    }
  }
  if (!wasPaused) throw new Error(`${path} tells of no standstill`);
  return inDoubt.size;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
