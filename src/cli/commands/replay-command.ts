/** `millrace replay`: shows that a run's journal gives the same effects again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withExitGuard } from '../../bot/guards/exit-guard.ts';
import { ambientText, watchAmbient } from '../../bot/guards/nondeterminism-notes.ts';
import { journalRunAt, journalRunsIn } from '../../bot/journal/journal-segments.ts';
import { goneText, type ReplayResult, replayJournal } from '../../bot/journal/replay-journal.ts';
import { MillraceError, NotFoundError } from '../../domain/errors.ts';
import type { AmbientUse } from '../../runtime/nondeterminism-detector.ts';
import { exitCodeOf, exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { packageRoot } from '../../terminal/package-root.ts';

export type ReplayVerbOptions = {
  /** Undefined for the newest of `home`. */
  readonly journal?: string | undefined;
  /** Only the journals of this bot; of every one unless given. */
  readonly bot?: string;
  readonly all: boolean;
  readonly home: string;
  readonly output: Output;
  /** Holds the plugins; the package's unless given. */
  readonly strategiesFolder?: string;
};

type Failure = { readonly code: string; readonly message: string };
type Replayed = ReplayResult & {
  readonly journal: string;
  /** What plugins read that the journal does not have. */
  readonly ambient: readonly AmbientUse[];
};

/**
 * Replays one journal or all of `home`, past those that cannot be read. Returns 1 if any differs,
 * cannot be read, or has a strategy that reads the world;
 * 4 if the one that is meant is not there.
 */
export async function runReplay(options: ReplayVerbOptions): Promise<number> {
  const { output, strategiesFolder: folder = join(packageRoot, 'strategies') } = options;
  const chosen = chosenOf(options);
  const replayed: Replayed[] = [];
  const failures: (Failure & { readonly journal: string | null })[] = [];
  let exitCode: number = exitCodes.ok;
  const fail = (journal: string | null, error: unknown): void => {
    output.problem(error);
    failures.push({ journal, ...failureOf(error) });
    exitCode = chosen.length > 1 ? exitCodes.error : exitCodeOf(error);
  };
  if (chosen.length === 0)
    fail(null, new NotFoundError(`no journal in ${folderOf(options)}; a run leaves one`));
  const incomplete: string[] = [];
  for (const journal of chosen) {
    // Among all journals it is in order that old ones are not whole any more.
    const gone = options.all ? goneText(journalRunAt(journal)) : undefined;
    if (gone !== undefined) {
      incomplete.push(journal);
      output.line(gone);
      continue;
    }
    try {
      const { value, ambient } = await withExitGuard(`a strategy of ${journal}`, () =>
        watchAmbient(folder, () => replayJournal(journal, folder)),
      );
      replayed.push({ journal, ...value, ambient });
      for (const text of linesOf(journal, value)) output.line(text);
      for (const use of ambient) output.line(`! ${ambientText(use)}`);
    } catch (error) {
      fail(journal, error);
    }
  }
  const sum = (pick: (one: ReplayResult) => number): number =>
    replayed.reduce((total, one) => total + pick(one), 0);
  const different = sum((one) => one.different);
  if (replayed.some(({ ambient }) => ambient.length > 0)) exitCode = exitCodes.error;
  output.result(
    {
      journals: chosen.length,
      incomplete,
      events: sum((one) => one.events),
      effects: sum((one) => one.effects),
      different,
      failed: failures.length,
      failures,
      runs: replayed,
    },
    [],
  );
  return different > 0 ? exitCodes.error : exitCode;
}

function folderOf({ home }: ReplayVerbOptions): string {
  return join(home, 'journal');
}

function chosenOf(options: ReplayVerbOptions): readonly string[] {
  if (options.journal !== undefined) return [options.journal];
  const folder = folderOf(options);
  const runs = existsSync(folder) ? journalRunsIn(folder) : [];
  const known = runs
    .filter(({ bot }) => options.bot === undefined || options.bot === bot)
    .map((run) => run.path);
  return options.all ? known : known.slice(-1);
}

function failureOf(error: unknown): Failure {
  return {
    code: error instanceof MillraceError ? error.code : 'error',
    message: error instanceof Error ? error.message : String(error),
  };
}

function linesOf(path: string, result: ReplayResult): readonly string[] {
  const { events, effects, different, batches, changedCode } = result;
  const torn = result.droppedLines > 0 ? ', torn last line dropped' : '';
  const unread = result.unreadLines > 0 ? `, ${result.unreadLines} lines not replayed` : '';
  const found = `${different} differences in ${batches} batches`;
  return [
    `${path}: ${events} events, ${effects} effects, ${found}${torn}${unread}`,
    ...(result.firstDifference === undefined ? [] : [`  ${result.firstDifference}`]),
    ...(result.failure === undefined ? [] : [`  the engine failed: ${result.failure}`]),
    ...(changedCode.length === 0
      ? []
      : [`  code that is not the run's: ${changedCode.join(', ')}`]),
  ];
}
