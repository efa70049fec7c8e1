/** The scopes of a bot that are halted or may only reduce positions. */
import type { EnteredState, StoreReports } from '../store/store-reports.ts';
import { type BotPlace, resumeCommand } from '../terminal/command-hints.ts';
import type { Bot } from './bot.ts';
import { scopeProblem } from './supervision.ts';

/** Returns the current state of each of the bot's scopes that is not ACTIVE. */
export function haltedScopes(
  settings: Bot['settings'],
  reports: Pick<StoreReports, 'tradingStates'>,
): readonly EnteredState[] {
  return reports
    .tradingStates()
    .filter(
      ({ scope, state }) => state !== 'ACTIVE' && scopeProblem({ settings }, scope) === undefined,
    );
}

/** Describes such a state for a person, with the command that resumes the scope. */
export function haltedScopeLine(
  { scope, state, atMs, reason }: EnteredState,
  place: BotPlace,
): string {
  const since = new Date(atMs).toISOString();
  return `${scope} has been ${state} since ${since}: ${reason}; to resume it: ${resumeCommand(scope, place)}`;
}
