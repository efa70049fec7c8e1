/** Plays one state: what a person reads of it at the terminal, in `status` and in `why`. */

import { spawn } from 'node:child_process';
import type { TradingBlock } from '../../../src/domain/trading-block.ts';
import { packageRoot } from '../../support/package-root.ts';
import { seesWithin } from '../recovery/demo-process.ts';
import { type Asked, SilencePlace } from './silence-place.ts';
import { silencePlants } from './silence-plants.ts';
import type { SilenceState } from './silence-states.ts';

const who = 'maker XBTZAR does not trade';
/** How `status` and `why` begin a line about a cause. */
const label = /^\s*(?:now +)?blocked +maker XBTZAR (?:when the run ended, )?since /u;
const tradesWithinMs = 40_000;
/** A market that opens again is found by a list that is read now and then. */
const patience = { saidMs: 40_000, overMs: 90_000 };
/** With a fault built in, what does not come at once is what is waited for. */
const impatience = { saidMs: 8_000, overMs: 4_000 };
/** For how long a second line is waited for. */
const repeatMs = 1_500;
/** What the bot finds is stored within this. */
const storedMs = 500;

export type PlayedState = {
  readonly name: string;
  readonly isOnTerminal: boolean;
  readonly isInStatus: boolean;
  readonly isInWhy: boolean;
  readonly violations: readonly string[];
  /** Everything that was printed. */
  readonly texts: readonly string[];
  /** The folder of the bot's state, which is gone by now, and its settings. */
  readonly paths: readonly string[];
};

/** Plays the state once, with a fault built in if one is named. */
export async function playState(
  state: SilenceState,
  seed: number,
  plant: string | undefined,
): Promise<PlayedState> {
  const place = await SilencePlace.open(seed, state.changes ?? []);
  try {
    return await playAt(place, state, plant);
  } finally {
    await place.close();
  }
}

async function playAt(
  place: SilencePlace,
  state: SilenceState,
  plant: string | undefined,
): Promise<PlayedState> {
  const violations: string[] = [];
  const { saidMs, overMs } = plant === undefined ? patience : impatience;
  if (state.isFromStart === true) await state.provoke?.(place);
  const bot = place.start(plant);
  if (state.isFromStart !== true) {
    if (!(await seesWithin(bot, / is open \(/u, tradesWithinMs)))
      violations.push(`it did not trade before: ${bot.text.slice(-500)}`);
    await state.provoke?.(place);
  }
  const line = state.line ?? new RegExp(`${who}: .*${state.reason.source}`, 'u');
  const isSaid = await seesWithin(bot, line, saidMs);
  if (state.endsBot === true) await bot.ended;
  const isOnTerminal = isSaid && bot.text.split('\n').some((text) => line.test(text));
  if (!isOnTerminal) violations.push(`the terminal does not say it: ${linesOfStates(bot.text)}`);
  await sleep(storedMs);
  const [status, why] = [seen(await place.status(), 'status'), seen(await place.why(), 'why')];
  await sleep(repeatMs);
  const count = bot.text.split('\n').filter((text) => line.test(text)).length;
  if (count > 1) violations.push(`the terminal says it ${count} times`);
  const isInStatus = shows(status, state, violations, 'status');
  const isInWhy = shows(why, state, violations, 'why');
  if (state.undo !== undefined) await undo(place, state, { violations, overMs });
  return {
    ...{ name: state.name, isOnTerminal, isInStatus, isInWhy, violations },
    texts: [bot.text, status.text, why.text],
    paths: [place.config, place.home],
  };

  function seen(asked: Asked, face: 'status' | 'why'): Asked {
    if (silencePlants[plant ?? '']?.blind !== face) return asked;
    const text = asked.text.split('\n').filter((one) => !label.test(one));
    return { text: text.join('\n'), value: asked.value };
  }
}

/** Whether an answer has the state, for people and as data, and says when it began and ends. */
function shows(
  { text, value }: Asked,
  { kind, reason }: SilenceState,
  violations: string[],
  face: string,
): boolean {
  const line = text.split('\n').find((one) => label.test(one) && reason.test(one));
  const blocks = (value['notTrading'] ?? []) as readonly TradingBlock[];
  const block = blocks.find((one) => one.kind === kind && reason.test(one.reason));
  if (line === undefined) violations.push(`${face} does not say it: ${linesOfStates(text)}`);
  if (block === undefined) violations.push(`${face} --json has ${JSON.stringify(blocks)}`);
  if (line !== undefined && !/; ends (?:by itself|when|with)/u.test(line))
    violations.push(`${face} does not say what ends it: ${line}`);
  const agoMs = Date.now() - (block?.sinceMs ?? Date.now());
  if (agoMs < 0 || agoMs > 120_000) violations.push(`${face} says that it began ${agoMs} ms ago`);
  return line !== undefined && block !== undefined;
}

/** Ends it, with the command that the terminal gave if it takes one. */
async function undo(
  place: SilencePlace,
  state: SilenceState,
  { violations, overMs }: { readonly violations: string[]; readonly overMs: number },
): Promise<void> {
  if (state.undo === 'paste') {
    const command = /; ends when a person resumes it: (?<line>npm .*)$/mu.exec(place.bot.text);
    if (command === null) violations.push('the terminal gives no command that ends it');
    else if (!(await succeeds(command.groups?.['line'] ?? '')))
      violations.push(`the command fails: ${command.groups?.['line']}`);
  } else await state.undo?.(place);
  const over = new RegExp(
    `may trade again after \\d+ s; the cause was: .*${state.reason.source}`,
    'u',
  );
  if (!(await seesWithin(place.bot, over, overMs)))
    violations.push(`its end is not said: ${linesOfStates(place.bot.text)}`);
}

/** Runs a command line as it would be pasted. */
function succeeds(line: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', line], { cwd: packageRoot, stdio: 'ignore' });
    child.once('exit', (code) => resolve(code === 0));
  });
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function linesOfStates(text: string): string {
  const lines = text.split('\n').filter((line) => /trade|state|refused|now /u.test(line));
  return lines.slice(-6).join(' | ');
}
