/** What the command line refuses before a command runs. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { Cli } from '../../../src/cli/command.ts';
import { addKeyCommands } from '../../../src/cli/declarations/key-commands.ts';
import { addProjectCommands } from '../../../src/cli/declarations/project-commands.ts';
import { addRecordingCommands } from '../../../src/cli/declarations/recording-commands.ts';
import { addResearchCommands } from '../../../src/cli/declarations/research-commands.ts';
import { addSafetyCommands } from '../../../src/cli/declarations/safety-commands.ts';
import { addStateCommands } from '../../../src/cli/declarations/state-commands.ts';
import { addTradingCommands } from '../../../src/cli/declarations/trading-commands.ts';
import { exportColumns } from '../../../src/recording/export/export-rows.ts';
import { importFormats } from '../../../src/recording/import/format-names.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';

/** Returns the error of a command line that is refused. */
async function refusalOf(...commandLine: string[]): Promise<string> {
  let error = '';
  const program = new Command('millrace').exitOverride().configureOutput({
    writeErr: (text) => {
      error += text;
    },
  });
  const cli = new Cli(program, workspace);
  const groups = [
    addTradingCommands,
    addProjectCommands,
    addSafetyCommands,
    addStateCommands,
    addKeyCommands,
    addResearchCommands,
  ];
  for (const add of [...groups, addRecordingCommands]) add(cli);
  await expect(program.parseAsync(commandLine, { from: 'user' })).rejects.toThrow();
  return error;
}

test('an empty folder or file name, as of an unset variable, is refused', async () => {
  const folder = 'must name a folder, was ""';
  expect(await refusalOf('start', '--home', '')).toContain(folder);
  expect(await refusalOf('status', '--home=')).toContain(folder);
  expect(await refusalOf('run', 'x.yaml', '--home', ' ')).toContain('a folder, was " "');
  expect(await refusalOf('start', '--flow', '')).toContain(folder);
  expect(await refusalOf('exchange', '--flow', '')).toContain(folder);
  expect(await refusalOf('record', 'XBTZAR', '--out', '')).toContain(folder);
  expect(await refusalOf('interface', '--write', '')).toContain(folder);
  const file = 'must name a file, was ""';
  expect(await refusalOf('config', 'explain', '--write', '')).toContain(file);
  expect(await refusalOf('compile', 'x', '-o', '')).toContain(file);
  expect(await refusalOf('export', 'x', '-o', '')).toContain(file);
  expect(await refusalOf('panic', '--config', '')).toContain(file);
  expect(await refusalOf('why', 'x', '--config', '')).toContain(file);
});

test('--speed without --flow is refused, not ignored', async () => {
  expect(await refusalOf('start', '--speed', '2')).toContain('--speed needs --flow');
  expect(await refusalOf('exchange', '--speed', '2')).toContain('--speed needs --flow');
});

test('import --help names the columns of each kind of table', () => {
  const main = join(packageRoot, 'src', 'main.ts');
  const { stdout } = spawnSync(process.execPath, [main, 'import', '--help'], { encoding: 'utf8' });
  for (const { name } of Object.values(exportColumns).flat()) expect(stdout).toContain(name);
  for (const format of importFormats.filter((name) => name.startsWith('csv')))
    expect(stdout).toMatch(new RegExp(`^  ${format} +time_us,`, 'mu'));
});

test('the version is that of the package; a refusal exits with 2', () => {
  const main = join(packageRoot, 'src', 'main.ts');
  const run = (...commandLine: string[]) =>
    spawnSync(process.execPath, [main, ...commandLine], { encoding: 'utf8' });
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  expect(run('--version')).toMatchObject({ status: 0, stdout: `${version}\n` });
  expect(run('start', '--home', '')).toMatchObject({ status: 2, stdout: '' });
});

test("settings are found in the current folder, or in Millrace's own", () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace eigene Bots ü '));
  const demo = readFileSync(join(packageRoot, 'config', 'demo.yaml'), 'utf8');
  writeFileSync(join(folder, 'mine.yaml'), demo.replace(/^bot: demo/mu, 'bot: mine'));
  const botOf = (file: string): unknown => {
    const main = join(packageRoot, 'src', 'main.ts');
    const shown = spawnSync(process.execPath, [main, 'config', 'show', file], {
      cwd: folder,
      encoding: 'utf8',
    });
    return shown.status === 0 ? /^bot +(\w+)$/mu.exec(shown.stdout)?.[1] : shown;
  };
  expect(botOf('mine.yaml')).toBe('mine');
  expect(botOf('config/demo.yaml')).toBe('demo');
  expect(botOf('none.yaml')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('none.yaml: there is no such file'),
  });
  rmSync(folder, { recursive: true });
});

test.each(['status', 'report', 'why'])('%s of a home without a database', (command) => {
  const main = join(packageRoot, 'src', 'main.ts');
  const home = join(tmpdir(), 'millrace-no-such-home');
  const order = command === 'why' ? ['some-order'] : [];
  const named = [command, 'config/demo.yaml', ...order];
  const result = spawnSync(process.execPath, [main, ...named, '--home', home], {
    encoding: 'utf8',
  });
  expect(result).toMatchObject({ status: 4, stdout: '' });
  expect(result.stderr).toMatch(/^millrace: there is no .*demo\.sqlite.* \(MR_NOT_FOUND\)\n$/u);
});

test("through npm, a path is relative to the user's folder, or to the package", () => {
  mkdirSync(join(packageRoot, '.millrace'), { recursive: true });
  const folder = mkdtempSync(join(packageRoot, '.millrace', 'stands-'));
  const recording = join('backtests', 'first', 'recording.mrec');
  copyFileSync(join(packageRoot, recording), join(folder, 'here.mrec'));
  const main = join(packageRoot, 'src', 'main.ts');
  const run = (calledIn: string, ...commandLine: string[]) =>
    spawnSync(process.execPath, [main, ...commandLine], {
      cwd: packageRoot,
      env: { ...process.env, INIT_CWD: calledIn },
      encoding: 'utf8',
    });
  try {
    expect(run(folder, 'verify', 'here.mrec').status).toBe(0);
    expect(run(folder, 'verify', recording).status).toBe(0);
    expect(run(folder, 'verify', 'none.mrec').stderr).toContain(join(folder, 'none.mrec'));
    expect(run(folder, 'export', 'here.mrec', '-o', 'out.csv').status).toBe(0);
    expect(existsSync(join(folder, 'out.csv'))).toBe(true);
    const inside = relative(packageRoot, folder);
    expect(run(folder, 'export', 'here.mrec', '-o', join(inside, 'root.csv')).status).toBe(0);
    expect(existsSync(join(folder, 'root.csv'))).toBe(true);
    expect(run(folder, 'status', 'config/demo.yaml', '--home', 'none').stderr).toContain(
      join(folder, 'none'),
    );
    // Outside of the checkout, a relative path is relative to the package.
    expect(run(tmpdir(), 'verify', 'here.mrec').stderr).not.toContain(tmpdir());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);
