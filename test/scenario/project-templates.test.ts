/** Each template of `millrace new` and `init` makes a project whose backtest trades. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { runInit } from '../../src/cli/commands/init-command.ts';
import { strategyFrom, templateNames } from '../../src/cli/projects/strategy-template.ts';
import { Output } from '../../src/terminal/output.ts';
import { packageRoot as root, workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';

let folder = '';
beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'millrace-templates-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a project as npm would install it, with what it depends on. */
async function projectFrom(template: string, name = template): Promise<string> {
  const output = new Output({
    workspace,
    isJson: true,
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  });
  const project = join(folder, `mein Bot für ${name}`);
  const dependency = 'file:../millrace.tgz';
  await runInit({ root, folder: project, template, dependency, isInstalling: false, output });
  mkdirSync(join(project, 'node_modules'));
  for (const one of ['rxjs', 'zod'])
    symlinkSync(join(root, 'node_modules', one), join(project, 'node_modules', one));
  symlinkSync(root, join(project, 'node_modules/millrace'));
  return join(project, 'millrace.yaml');
}

async function backtest(settings: string) {
  const stdout = new PassThrough();
  const output = new Output({ workspace, isJson: true, stdout, stderr: new PassThrough() });
  const code = await runBacktestCommand({ scenario: settings, graceMs: 60_000, workspace, output });
  return { code, result: JSON.parse(printed(stdout).trimEnd().split('\n').at(-1) ?? '') };
}

describe.each(templateNames(root))('the template %s', (template) => {
  test('makes a project whose backtest trades, if it has a rule', async () => {
    const { code, result } = await backtest(await projectFrom(template));
    expect(code).toBe(0);
    expect(result.refusals.gate).toEqual({});
    if (template !== 'empty') expect(result.fills).toBeGreaterThan(0);
  });
});

test('a strategy that was added under another name runs beside the first', async () => {
  const settings = await projectFrom('empty', 'zwei');
  const { files, settings: lines } = strategyFrom(root, { template: 'simple-mm', name: 'maker' });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(settings, '..', file), text);
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}${lines.join('\n')}\n`);
  const { code, result } = await backtest(settings);
  expect(code).toBe(0);
  expect(result.fills).toBeGreaterThan(0);
});

test('every shipped strategy is a template', () => {
  expect(templateNames(root)).toEqual(
    expect.arrayContaining(readdirSync(join(root, 'strategies'))),
  );
});
