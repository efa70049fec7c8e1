/** `millrace replay`: replays a run's journal and checks that the effects are the same. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withExitGuard } from '../../bot/guards/exit-guard.ts';
import { ambientText, watchAmbient } from '../../bot/guards/nondeterminism-notes.ts';
import { journalRunAt, journalRunsIn } from '../../bot/journal/journal-segments.ts';
import { goneText, type ReplayResult, replayJournal } from '../../bot/journal/replay-journal.ts';
import { MillraceError, NotFoundError } from '../../domain/errors.ts';
import type { Workspace } from '../../domain/workspace.ts';
import type { NondeterministicUse } from '../../runtime/nondeterminism-detector.ts';
import { exitCodeOf, exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';

export type ReplayCommandOptions = {
  /** Path of a journal; undefined uses the newest of `home`. */
  readonly journal?: string | undefined;
  /** Considers only the journals of this bot; by default those of every bot. */
  readonly bot?: string;
  /** Whether to replay every journal instead of the newest. */
  readonly all: boolean;
  readonly home: string;
  readonly workspace: Workspace;
  readonly output: Output;
};

type Failure = { readonly code: string; readonly message: string };
type Replayed = ReplayResult & {
  readonly journal: string;
  /** Uses of clocks, randomness or I/O by plugins, which the journal cannot reproduce. */
  readonly ambient: readonly NondeterministicUse[];
};

/**
 * Replays one journal or all of `home`, and continues after one that cannot be read. Returns the
 * exit code: 1 if any differs, cannot be read, or has a strategy that uses a clock, randomness or
 * I/O; 4 if the journal does not exist.
 */
export async function runReplay(options: ReplayCommandOptions): Promise<number> {
  const { output, workspace } = options;
  const folder = workspace.strategies;
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
    fail(
      null,
      new NotFoundError(`no journal in ${folderOf(options)}; every run of a bot writes one there`),
    );
  const incomplete: string[] = [];
  for (const journal of chosen) {
    // With --all, an old journal whose first segments were deleted is not an error.
    const gone = options.all ? goneText(journalRunAt(journal)) : undefined;
    if (gone !== undefined) {
      incomplete.push(journal);
      output.line(gone);
      continue;
    }
    try {
      const { value, ambient } = await withExitGuard(`a strategy of ${journal}`, () =>
        watchAmbient(() => replayJournal(journal, folder)),
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

function folderOf({ home }: ReplayCommandOptions): string {
  return join(home, 'journal');
}

function chosenOf(options: ReplayCommandOptions): readonly string[] {
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
  const torn = result.droppedLines > 0 ? ', incomplete last line ignored' : '';
  const unread = result.unreadLines > 0 ? `, ${result.unreadLines} lines not replayed` : '';
  const found = `${different} differences in ${batches} batches`;
  return [
    `${path}: ${events} events, ${effects} effects, ${found}${torn}${unread}`,
    ...(result.firstDifference === undefined ? [] : [`  ${result.firstDifference}`]),
    ...(result.failure === undefined ? [] : [`  the engine failed: ${result.failure}`]),
    ...(changedCode.length === 0
      ? []
      : [`  code that has changed since the run: ${changedCode.join(', ')}`]),
  ];
}
