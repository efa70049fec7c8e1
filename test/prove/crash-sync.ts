/** The durability part of the crash proof: a bot under strace, trading for a few seconds. */
import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CrashHome } from './crash-home.ts';
import { readTrace, type SendTrace, tracedCalls } from './crash-trace.ts';

/** Room for a whole page of the database. */
const textMax = '9000';

export type SyncResult = {
  /** Undefined if this machine cannot trace; `note` says why. */
  readonly trace: SendTrace | undefined;
  readonly note: string | undefined;
  readonly home: CrashHome;
};

/** Lets a bot trade for `tradingMs` without kills, traced if that is possible here. */
export async function traceSends(tradingMs: number, plant?: string): Promise<SyncResult> {
  const home = new CrashHome(1_000, plant);
  const path = join(home.path, 'trace.txt');
  const missing = whyNoTrace();
  const tracer = ['strace', '-D', '-qq', '-y', '-s', textMax, '-e', `trace=${tracedCalls}`];
  const bot = await home.begin(missing === undefined ? [...tracer, '-o', path] : []);
  await bot.sees(/ is open \(/u);
  await new Promise((resolve) => setTimeout(resolve, tradingMs));
  await home.stop();
  if (missing !== undefined) return { trace: undefined, note: missing, home };
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path, 'latin1') }))
    lines.push(line);
  return { trace: readTrace(lines), note: undefined, home };
}

/** Returns why nothing can be traced here, or undefined if it can. */
export function whyNoTrace(): string | undefined {
  try {
    execFileSync('strace', ['-o', '/dev/null', '-e', 'trace=fsync', 'true'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return `whether commits are synced before orders leave: strace does not run here (${text}); Debian: apt-get install strace`;
  }
}
