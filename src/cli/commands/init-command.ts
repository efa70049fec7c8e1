/**
 * `millrace init`: makes a project of one's own, with one strategy, its test and the settings of
 * a bot, and installs its packages.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { ConfigError } from '../../domain/errors.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { writeTextAtomically } from '../../terminal/atomic-file.ts';
import { quoted } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { type Manifest, ownDependency, projectFiles } from '../projects/project-template.ts';
import { templateDefault, templateNames } from '../projects/strategy-template.ts';

export type InitOptions = {
  /** The folder of the installation. */
  readonly root: string;
  /** The absolute path of the project, which does not exist or is empty. */
  readonly folder: string;
  /** The template of the first strategy; undefined asks on a terminal. */
  readonly template: string | undefined;
  /** The dependency on Millrace, as npm takes it; undefined for the version that runs. */
  readonly dependency: string | undefined;
  readonly isInstalling: boolean;
  readonly output: Output;
};

/** Makes the project; returns the exit code, 1 if npm failed. */
export async function runInit(options: InitOptions): Promise<number> {
  const { root, folder, output } = options;
  refuseFull(folder);
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const dependency = options.dependency ?? ownDependency(root, manifest);
  const template = options.template ?? (await askedTemplate(root, output));
  const files = projectFiles({ root, folder, template, dependency, manifest });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    makeFolder(dirname(path));
    writeTextAtomically(path, text);
  }
  output.line(`made ${folder} with Millrace ${dependency}`);
  const npmCode = options.isInstalling ? await npmInstall(folder, output) : 0;
  const next = [
    `cd ${quoted(folder)}`,
    ...(options.isInstalling && npmCode === 0 ? [] : ['npm install']),
    'npm test            # the test of the strategy',
    'npm run backtest    # the strategy over the sample recording',
    'npm run dev         # the same after each save',
    'npm start           # the bot on a simulated exchange',
  ];
  const isDone = npmCode === 0;
  output.result(
    {
      folder,
      template,
      dependency,
      files: Object.keys(files),
      installed: options.isInstalling && isDone,
    },
    [
      ...(isDone ? [] : [`! npm install ended with ${npmCode}: see above, then call it again`]),
      'next:',
      ...next.map((line) => `  ${line}`),
    ],
  );
  return isDone ? exitCodes.ok : exitCodes.error;
}

function refuseFull(folder: string): void {
  if (!existsSync(folder)) return;
  const found = contentsOf(folder);
  if (found.length === 0) return;
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  throw new ConfigError(
    `${folder} is not empty, it has ${found.slice(0, 5).join(', ')}${more}: name a new folder; in a project, "npx millrace new NAME" adds a strategy`,
  );
}

function contentsOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (cause) {
    const { code = 'error' } = cause as NodeJS.ErrnoException;
    const what = code === 'ENOTDIR' ? 'is a file' : `cannot be read (${code})`;
    throw new ConfigError(`${folder} ${what}: name a new folder`, { cause });
  }
}

/** Asks on a terminal for the template; anywhere else, it is the default. */
async function askedTemplate(root: string, output: Output): Promise<string> {
  if (!process.stdin.isTTY || output.isJson) return templateDefault;
  const names = templateNames(root).join(', ');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`first strategy (${names}) [${templateDefault}]: `);
  lines.close();
  return answer.trim() || templateDefault;
}

/** Calls the npm of the user, whose Node will run the project; returns its exit code. */
function npmInstall(folder: string, output: Output): Promise<number> {
  output.line('npm install …');
  // npm is a script for a shell on Windows. What it prints is for people.
  const child = spawn('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  return new Promise((settle) => {
    child.once('error', () => settle(127));
    child.once('close', (code) => settle(code ?? 1));
  });
}
