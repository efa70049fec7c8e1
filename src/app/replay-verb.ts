/** `millrace replay`: shows that a run's journal gives the same effects again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from './exit-code.ts';
import { listJournals } from './journal-file.ts';
import type { Output } from './output.ts';
import { packageRoot } from './package-root.ts';
import { type ReplayResult, replayJournal } from './replay.ts';

/** Replays one journal or all of `home`; returns 1 if any batch differs. */
export async function runReplay(options: {
  readonly journal: string | undefined;
  readonly all: boolean;
  readonly home: string;
  readonly output: Output;
}): Promise<number> {
  const { output } = options;
  const folder = join(options.home, 'journal');
  const known = existsSync(folder) ? listJournals(folder) : [];
  const chosen =
    options.journal !== undefined ? [options.journal] : options.all ? known : known.slice(-1);
  if (chosen.length === 0 || chosen.some((path) => !existsSync(path))) {
    output.line(`no journal ${options.journal ?? `in ${folder}`}; a run leaves one`);
    return exitCodes.notFound;
  }
  const results: (ReplayResult & { readonly journal: string })[] = [];
  for (const path of chosen) {
    const result = await replayJournal(path, join(packageRoot, 'strategies'));
    results.push({ journal: path, ...result });
    output.line(describe(path, result));
    if (result.firstDifference !== undefined) output.line(`  ${result.firstDifference}`);
    if (result.changedCode.length > 0)
      output.line(`  code that is not the run's: ${result.changedCode.join(', ')}`);
  }
  const sum = (pick: (one: (typeof results)[number]) => number): number =>
    results.reduce((total, one) => total + pick(one), 0);
  const different = sum((one) => one.different);
  output.result(
    {
      journals: results.length,
      events: sum((one) => one.events),
      effects: sum((one) => one.effects),
      different,
      runs: results,
    },
    [],
  );
  return different === 0 ? exitCodes.ok : exitCodes.error;
}

function describe(path: string, result: ReplayResult): string {
  const torn = result.droppedLines > 0 ? `, ${result.droppedLines} torn lines dropped` : '';
  const different = `${result.different} of ${result.batches} batches different`;
  return `${path}: ${result.events} events, ${result.effects} effects, ${different}${torn}`;
}
