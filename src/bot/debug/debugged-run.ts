/** The runs that a debugger can open: a backtest, and the journal of a bot. */
import {
  openSteppedBacktest,
  type SteppedBacktestOptions,
} from '../../backtest/run/stepped-backtest.ts';
import type { OpenSteppedRun } from '../../engine/stepping/stepped-run.ts';
import { openJournal } from '../journal/replay-journal.ts';
import type { DebuggedRun } from './debug-session.ts';

/** Returns the backtest of a scenario; `name` is how the user named it. */
export function debuggedBacktest(name: string, options: SteppedBacktestOptions): DebuggedRun {
  return {
    ...{ name, source: 'backtest', notes: [] },
    strategies: options.scenario.strategies,
    open: (observer) => openSteppedBacktest(options, observer),
  };
}

/**
 * Returns the run of the journal at `path`. A strategy that has changed since then is played as it
 * is now, and the notes say so. Throws as {@link openJournal} does.
 */
export async function debuggedJournal(
  path: string,
  strategiesFolder: string,
): Promise<DebuggedRun> {
  const { header, changedCode, close } = await openJournal(path, strategiesFolder);
  close();
  const open: OpenSteppedRun = async (observer) => {
    const journal = await openJournal(path, strategiesFolder, observer);
    return {
      ...journal,
      problem() {
        const { firstDifference } = journal.result();
        return firstDifference === undefined
          ? undefined
          : `from here on, this is not what the bot did: ${firstDifference}`;
      },
    };
  };
  const changed = changedCode.length === 0 ? [] : [changedText(changedCode)];
  return {
    ...{ name: path, source: 'journal', notes: changed, open },
    strategies: header.start.settings.strategies,
  };
}

function changedText(changedCode: readonly string[]): string {
  return (
    `changed since the run: ${changedCode.join(', ')}; the run is played with the code of now, ` +
    'which may decide differently: to see what the bot decided then, check out the code of then'
  );
}
