/** What may not trade as it would: the scopes of a bot that are halted or only reduce. */
import type { EnteredState, StoreReports } from '../store/store-reports.ts';
import { type BotPlace, resumeCommand } from '../terminal/command-hints.ts';
import type { Bot } from './bot.ts';
import { scopeProblem } from './supervision.ts';

/** Returns the newest state of each scope of the bot that is not ACTIVE. */
export function closedScopes(
  settings: Bot['settings'],
  reports: Pick<StoreReports, 'tradingStates'>,
): readonly EnteredState[] {
  return reports
    .tradingStates()
    .filter(
      ({ scope, state }) => state !== 'ACTIVE' && scopeProblem({ settings }, scope) === undefined,
    );
}

/** For a person, with what opens it again. */
export function closedLine({ scope, state, atMs, reason }: EnteredState, place: BotPlace): string {
  const since = new Date(atMs).toISOString();
  return `${scope} is ${state} since ${since}: ${reason}; it trades again after: ${resumeCommand(scope, place)}`;
}
