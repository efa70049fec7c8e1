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
    let playedEvents = 0;
    let problem: string | undefined;
    return {
      ...journal,
      play: (isEnough) =>
        journal.play(() => {
          const { firstDifference, events } = journal.result();
          if (firstDifference !== undefined)
            problem ??= otherText(playedEvents + 1, firstDifference);
          playedEvents = events;
          return isEnough();
        }),
      problem: () => problem,
    };
  };
  const changed = changedCode.length === 0 ? [] : [changedText(changedCode)];
  return {
    ...{ name: path, source: 'journal', notes: changed, open },
    strategies: header.start.settings.strategies,
  };
}

/** What a difference of a batch says may be long. */
function otherText(number: number, difference: string): string {
  return (
    `from event ${number} on, this is not what the bot did; ` +
    `millrace replay says what differs: ${difference.slice(0, 160)}`
  );
}

function changedText(changedCode: readonly string[]): string {
  return (
    `changed since the run: ${changedCode.join(', ')}; the run is played with the code of now, ` +
    'which may decide differently: to see what the bot decided then, check out the code of then'
  );
}
