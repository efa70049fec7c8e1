/**
 * `npm run prove -- silence`: whenever a bot does not trade, the terminal, `status` and `why` say
 * why and what ends it; `config check` warns of settings that would keep it from trading; and every
 * command that is suggested on the way can be pasted. A backtest in which nothing can fill says so.
 */
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { checkBacktests } from './silence/silence-backtests.ts';
import { commandsIn } from './silence/silence-commands.ts';
import { silencePlants } from './silence/silence-plants.ts';
import { type PlayedState, playState } from './silence/silence-play.ts';
import { type SilenceState, silenceStates } from './silence/silence-states.ts';
import { checkWarnings } from './silence/silence-warnings.ts';

/** Bots at a time; each waits more than it works. */
const lanes = 3;
const notesMax = 30;

/** With a fault built in, one state shows whether it is found: the first, unless it names one. */
function stateOf(plant: string): SilenceState {
  const named = silencePlants[plant]?.state;
  const found = silenceStates.find(({ name }) => named === undefined || name === named);
  if (found === undefined) throw new RangeError(`no state is called ${named}`);
  return found;
}

async function run({ plant }: ProverOptions): Promise<ProverResult> {
  const states = plant === undefined ? silenceStates : [stateOf(plant)];
  const played = await playAll(states, plant);
  const warnings = await checkWarnings(silencePlants[plant ?? '']?.blind === 'config check');
  const backtests = await checkBacktests(silencePlants[plant ?? '']?.blind === 'backtest');
  const texts = [...played.flatMap((one) => one.texts), ...warnings.texts];
  const commands = commandsIn(
    texts,
    played.flatMap((one) => one.paths),
  );
  const found = [
    ...played.flatMap(({ name, violations }) => violations.map((text) => `${name}: ${text}`)),
    ...warnings.violations,
    ...backtests.violations,
    ...commands.bad.map((text) => `a command that cannot be pasted: ${text}`),
  ];
  const countOf = (isShown: (one: PlayedState) => boolean) => played.filter(isShown).length;
  return {
    figures: {
      states: states.length,
      shownOnTerminal: countOf(({ isOnTerminal }) => isOnTerminal),
      shownInStatus: countOf(({ isInStatus }) => isInStatus),
      shownInWhy: countOf(({ isInWhy }) => isInWhy),
      warnings: warnings.produced,
      shownInBacktest: backtests.shown,
      pastedCommands: commands.count,
      badCommands: commands.bad.length,
    },
    violations: found.length,
    notes: found.slice(0, notesMax),
  };
}

async function playAll(
  states: readonly SilenceState[],
  plant: string | undefined,
): Promise<readonly PlayedState[]> {
  const waiting = [...states.entries()];
  const played: PlayedState[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, state] = next;
      played.push(await playState(state, index + 1, plant));
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return played;
}

export const silenceProver: Prover = {
  name: 'silence',
  title: 'whenever a bot does not trade, it says why and what ends it',
  compared: ['states', 'warnings', 'pastedCommands'],
  plants: Object.fromEntries(
    Object.entries(silencePlants).map(([name, { meaning }]) => [name, meaning]),
  ),
  run,
};
