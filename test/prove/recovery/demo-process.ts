/** The demo as a process with a deed or a fault in it, and what its exchange has after it. */
import { join } from 'node:path';
import { createTimers } from '../../../src/runtime/timers.ts';
import { createClient } from '../../../src/venues/luno/client/client.ts';
import { readCredentials } from '../../../src/venues/luno/simulator/server/credentials-file.ts';
import { type BotProcess, type launchStart, startDemo } from '../../support/process-bot.ts';

const deeds = join(import.meta.dirname, 'process-deeds.ts');

export type DemoFaults = { readonly deed?: string; readonly plant?: string | undefined };

/** Starts it in `home`, itself or through a launcher that stays its parent. */
export function startFaulty(
  home: string,
  { deed = '', plant = '' }: DemoFaults,
  start: typeof startDemo | typeof launchStart = startDemo,
): BotProcess {
  const { env } = process;
  const added = {
    NODE_OPTIONS: `--import=${deeds}`,
    MILLRACE_DEED: deed,
    MILLRACE_PLANT: plant,
  };
  const before = Object.fromEntries(Object.keys(added).map((name) => [name, env[name]]));
  Object.assign(env, added);
  try {
    return start(home, '--json');
  } finally {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete env[name];
      else env[name] = value;
  }
}

/** How many orders are open at the simulator that `bot` printed the address of. */
export async function openAtExchange(home: string, bot: BotProcess): Promise<number> {
  const baseUrl = /simulated exchange at (http:\S+)/u.exec(bot.text)?.[1];
  if (baseUrl === undefined) throw new Error(`no address was printed: ${bot.text}`);
  const issued = readCredentials(join(home, 'simulator'));
  const client = createClient({
    baseUrl,
    credentials: { keyId: issued.api_key_id, keySecret: issued.api_key_secret },
    timers: createTimers(),
  });
  try {
    return (await client.listOrdersV2({ limit: 1000 })).orders.length;
  } finally {
    await client.close();
  }
}

/** Waits for what `bot` prints; returns whether it came in time, and before its end. */
export async function seesWithin(bot: BotProcess, pattern: RegExp, ms: number): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms).unref());
  const seen = bot.sees(pattern).then(
    () => true,
    () => false,
  );
  return Promise.race([seen, late]);
}

/** Waits for its end; undefined if it does not come in time. */
export async function endsWithin(bot: BotProcess, ms: number): Promise<number | null | undefined> {
  const late = new Promise<undefined>((resolve) =>
    setTimeout(() => resolve(undefined), ms).unref(),
  );
  return Promise.race([bot.ended.then(({ code }) => code), late]);
}
