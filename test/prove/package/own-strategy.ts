/**
 * The way of a user: from an empty folder to a passing test, a backtest and a demo of a strategy of
 * one's own, and then an indicator from a package of npm.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settingsWith } from './bad-plugins.ts';
import {
  changed,
  type Ended,
  type InstalledProject,
  millrace,
  read,
  resultOf,
  run,
  succeeded,
  write,
} from './installed-project.ts';
import { idleShare } from './machine-idle.ts';

const testLinesMax = 19;
const settingsLinesMax = 25;

/** Makes the project in `base`; returns how the command ended, and the project's folder. */
export async function init(base: string, archive: string) {
  const idle = await idleShare();
  const words = ['--package', `file:${archive}`];
  const npm = ['npm', 'exec', '--yes', `--package=${archive}`, '--'];
  const ended = await run([...npm, 'millrace', 'init', 'my böt', ...words], { cwd: base });
  return { ended, folder: join(base, 'my böt'), idleShare: idle };
}

/** Runs the project's scripts; returns the seconds of test and backtest, and the hash. */
export async function useScripts({ folder }: InstalledProject, faults: string[]) {
  const tested = await run(['npm', 'test'], { cwd: folder });
  must(tested, 'npm test', /2 passed/u, faults);
  const played = await run(['npm', 'run', 'backtest'], { cwd: folder });
  must(played, 'npm run backtest', /^fills +[1-9]/mu, faults);
  const hash = /^hash +(?<hash>[0-9a-f]{64})$/mu.exec(played.out)?.groups?.['hash'];
  const demo = await run(['npm', 'start', '--', '--for', '20s', '--json'], { cwd: folder });
  const { fills, differences, openOrdersAtExit } = resultOf(demo) ?? {};
  if (demo.code !== 0 || !(Number(fills) > 0) || differences !== 0 || openOrdersAtExit !== 0)
    faults.push(
      `npm start ended with ${demo.code}: ${demo.out.slice(-500)}${demo.err.slice(-500)}`,
    );
  const test = read(folder, 'strategies/quoter.test.ts');
  const [head = '', ...tests] = test.split(/^(?=test\()/mu);
  const testLines = linesOf(head + tests.find((one) => one.includes('fakeContext(')));
  if (testLines > testLinesMax) faults.push(`the test with fakeContext has ${testLines} lines`);
  const settingsLines = linesOf(read(folder, 'millrace.yaml'));
  if (settingsLines > settingsLinesMax) faults.push(`millrace.yaml has ${settingsLines} lines`);
  return { hash, testLines, seconds: tested.seconds + played.seconds };
}

function linesOf(text: string): number {
  return text.trimEnd().split('\n').length;
}

function must({ code, out, err }: Ended, what: string, word: RegExp, faults: string[]): void {
  if (code === 0 && word.test(out)) return;
  faults.push(`${what} ended with ${code}: ${out.slice(-1_500)}${err.slice(-500)}`);
}

/** The strategy takes its average from a package; the run must be the one that it was. */
export async function useIndicator(
  project: InstalledProject,
  hash: unknown,
  faults: string[],
): Promise<void> {
  const { base, folder } = project;
  const library = join(base, 'tiny-average');
  const names = { name: 'tiny-average', version: '1.0.0', type: 'module' };
  const entry = { types: './index.d.ts', default: './index.js' };
  write(library, 'package.json', JSON.stringify({ ...names, exports: { '.': entry } }));
  write(
    library,
    'index.js',
    'export const average = (all) => all.reduce((sum, one) => sum + one, 0) / all.length;\n',
  );
  write(
    library,
    'index.d.ts',
    'export declare const average: (all: readonly number[]) => number;\n',
  );
  await succeeded(['npm', 'install', '--no-audit', '--no-fund', library], { cwd: folder });
  const quoter = read(folder, 'strategies/quoter.ts');
  const averaged = changed(quoter, '{ mid, parameters', '{ bid, ask, parameters').replaceAll(
    'mid * ',
    'average([bid, ask]) * ',
  );
  const code = `import { average } from 'tiny-average';\n${averaged}`;
  write(folder, 'strategies/averaged.ts', code);
  const more = 'packages: [tiny-average]\n';
  write(folder, 'averaged.yaml', settingsWith(folder, './strategies/averaged.ts', more));
  const ended = await millrace(project, ['backtest', 'averaged.yaml', '--json']);
  const found = resultOf(ended)?.['hash'];
  if (found !== hash)
    faults.push(`a plugin with a package: its hash is ${found}, not ${hash}: ${ended.err}`);
}

/**
 * Returns the bytes of the files that Millrace brings, its dependencies included, and of all that
 * the project has with TypeScript and vitest.
 */
export function installedBytes({ folder }: InstalledProject) {
  const lock = JSON.parse(read(folder, 'package-lock.json')) as {
    packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  let [needed, all] = [0, 0];
  for (const [place, { dev = false }] of Object.entries(lock.packages)) {
    if (place === '') continue;
    const bytes = bytesIn(join(folder, place));
    all += bytes;
    if (!dev) needed += bytes;
  }
  return { needed, all };
}

/** Without packages inside it, which the lockfile names themselves; 0 if it is not installed. */
function bytesIn(folder: string): number {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(path) : statSync(path).size);
  }, 0);
}
