/**
 * What a user gets: the package is packed, installed from npm's registry into an empty folder, and
 * used there as a user does: test, backtest, demo, `millrace dev`, a plugin with a package, types,
 * and everything that can be done wrong with them.
 */

import { tryPlaces } from './package/bad-places.ts';
import { tryBadPlugins } from './package/bad-plugins.ts';
import { editInDev } from './package/dev-edits.ts';
import { checkTypes } from './package/exported-types.ts';
import {
  type InstalledProject,
  makeBase,
  millrace,
  pack,
  removeBase,
  resultOf,
  run,
} from './package/installed-project.ts';
import { quietIdleShare } from './package/machine-idle.ts';
import { init, installedBytes, useIndicator, useScripts } from './package/own-strategy.ts';
import { type ProofPart, packagePlants } from './package/package-plants.ts';
import { tryNodes } from './package/user-nodes.ts';
import type { Prover } from './prover.ts';

/** `npm create millrace`, `cd`, `npm test` and `npm run backtest`. */
const commands = ['init', 'cd', 'npm test', 'npm run backtest'];
const commandsMax = 4;
const secondsMax = 60;
const devSecondsMax = 2;
/** A run of `dev` beside a plain backtest: it also starts a check of the types. */
const devRatioMax = 2;
const installedMax = 60_000_000;

export const packageProver: Prover = {
  name: 'package',
  title: 'from an empty folder to a backtest of a strategy of one’s own, with clear errors',
  compared: ['filesInPackage', 'edits', 'entries', 'badInputs'],
  plants: Object.fromEntries(
    Object.entries(packagePlants).map(([name, { meaning }]) => [name, meaning]),
  ),
  run: async ({ plant }) => {
    const planted = plant === undefined ? undefined : packagePlants[plant];
    const base = makeBase();
    try {
      const missing = await missingHere(base);
      if (missing.length > 0) return { figures: {}, violations: 0, notes: [], missing };
      const packed = await pack(base, planted);
      const { ended, folder, idleShare } = await init(base, packed.archive);
      if (ended.code !== 0)
        return failed(`init ended with ${ended.code}: ${ended.out}${ended.err}`);
      const project: InstalledProject = { base, folder, ...packed };
      const { figures, notes } = await prove(project, planted?.part, ended.seconds, idleShare);
      return { figures, violations: notes.length, notes };
    } catch (error) {
      // A plant is found also if it breaks the proof off.
      return failed(String((error as Error).stack));
    } finally {
      removeBase(base);
    }
  },
};

/** The Nodes of the proof are packages for Linux, and everything comes from npm's registry. */
async function missingHere(base: string): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [`${process.platform}: run it on Linux`];
  const { code, err } = await run(['npm', 'view', 'rxjs', 'version'], { cwd: base });
  return code === 0 ? [] : [`npm's registry cannot be read: ${err.split('\n')[0]}`];
}

function failed(note: string) {
  return { figures: {}, violations: 1, notes: [note] };
}

/** Runs every part, or only one. */
async function prove(
  project: InstalledProject,
  only: ProofPart | undefined,
  initSeconds: number,
  idleBefore: number,
) {
  const faults: string[] = [];
  const wants = (part: ProofPart): boolean => only === undefined || only === part;
  const { needed, all } = installedBytes(project);
  if (needed > installedMax) faults.push(`${needed} bytes are installed, at most ${installedMax}`);
  let figures: Record<string, unknown> = {
    filesInPackage: project.filesInPackage,
    bytesPacked: project.bytesPacked,
    installedMegabytes: megabytes(needed),
    projectMegabytes: megabytes(all),
  };
  let hash: unknown;
  if (wants('project')) {
    const used = await useScripts(project, faults);
    hash = used.hash;
    const seconds = initSeconds + used.seconds;
    if (commands.length > commandsMax) faults.push(`${commands.length} commands`);
    if (seconds > secondsMax && idleBefore >= quietIdleShare)
      faults.push(`${seconds} s to the first backtest, at most ${secondsMax}`);
    figures = {
      ...{
        commands: commands.length,
        seconds: rounded(seconds),
        initSeconds: rounded(initSeconds),
      },
      ...{ testLines: used.testLines, ...figures },
    };
  } else hash = resultOf(await millrace(project, ['backtest', '--json']))?.['hash'];
  if (wants('types')) figures['entries'] = await checkTypes(project, faults);
  let badInputs = 0;
  if (wants('dev')) {
    const found = await dev(project, faults);
    badInputs += found.brokenEdits;
    figures = { ...figures, ...found };
  }
  if (wants('plugins')) {
    await useIndicator(project, hash, faults);
    badInputs += await tryBadPlugins(project, faults);
  }
  if (wants('nodes')) badInputs += await tryNodes(project, hash, faults);
  if (wants('places')) badInputs += await tryPlaces(project, hash, faults);
  return { figures: { ...figures, hash, badInputs }, notes: faults };
}

async function dev(project: InstalledProject, faults: string[]) {
  const found = await editInDev(project, faults);
  const { devSeconds, devSecondsBest, backtestSeconds, idleShare } = found;
  const isQuiet = idleShare >= quietIdleShare;
  if (isQuiet && devSeconds > devSecondsMax)
    faults.push(`dev: ${devSeconds} s from a save to the page, at most ${devSecondsMax}`);
  const devRatio = devSecondsBest / backtestSeconds;
  if (devRatio > devRatioMax)
    faults.push(`dev: ${devRatio} times as long as a backtest, at most ${devRatioMax}`);
  return {
    ...{ edits: found.edits, brokenEdits: found.brokenEdits, isQuiet },
    ...{ devSeconds: rounded(devSeconds), devSecondsBest: rounded(devSecondsBest) },
    ...{ backtestSeconds: rounded(backtestSeconds), devRatio: rounded(devRatio) },
  };
}

function megabytes(bytes: number): number {
  return rounded(bytes / 1e6);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
