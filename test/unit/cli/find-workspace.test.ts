/** Where an installation and a user's project are found. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { workspaceOf } from '../../../src/terminal/find-workspace.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'millrace workspace ä-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const environment = {};

function folderIn(...names: string[]): string {
  const path = join(folder, ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

test('a clone is its own project, and commands are run by its npm', () => {
  const root = folderIn('clone');
  writeFileSync(join(root, 'package.json'), '{}');
  const inside = workspaceOf(root, { cwd: folderIn('clone', 'config'), environment });
  expect(inside).toMatchObject({
    project: root,
    home: join(root, '.millrace'),
    scenarios: [join(root, 'backtests')],
    command: 'npm run --silent millrace --',
    commandFolder: root,
  });
  expect(inside.homeOf(join(root, 'config', 'demo.yaml'))).toBe(join(root, '.millrace'));
  const outside = workspaceOf(root, { cwd: folderIn('elsewhere'), environment });
  expect(outside.command).toBe(`npm --prefix '${root}' run --silent millrace --`);
});

test('a package keeps nothing in its own folder, which an update replaces', () => {
  const project = folderIn('my bot');
  writeFileSync(join(project, 'package.json'), '{}');
  const root = folderIn('my bot', 'node_modules', 'millrace');
  writeFileSync(join(root, 'package.json'), '{}');
  const workspace = workspaceOf(root, { cwd: folderIn('my bot', 'src'), environment });
  expect(workspace).toMatchObject({
    root,
    project,
    home: join(project, '.millrace'),
    scenarios: [join(project, 'backtests'), join(root, 'backtests')],
    data: join(project, 'data'),
    command: 'npx millrace',
  });
  expect(workspace.homeOf(join(root, 'config', 'demo.yaml'))).toBe(join(project, '.millrace'));
  expect(workspace.homeOf(join(project, 'bots', 'desk.yaml'))).toBe(join(project, '.millrace'));
});

test('the home of a bot is that of its own project, whatever the current folder', () => {
  const root = folderIn('other clone');
  const project = folderIn('bots');
  writeFileSync(join(project, 'package.json'), '{}');
  const link = join(folder, 'link');
  symlinkSync(project, link);
  writeFileSync(join(project, 'desk.yaml'), '');
  const { homeOf } = workspaceOf(root, { cwd: root, environment });
  expect(homeOf(join(project, 'desk.yaml'))).toBe(join(project, '.millrace'));
  expect(homeOf(join(link, 'desk.yaml'))).toBe(join(project, '.millrace'));
  // Without a project, the home is beside the settings.
  const alone = folderIn('alone');
  writeFileSync(join(alone, 'desk.yaml'), '');
  expect(homeOf(join(alone, 'desk.yaml'))).toBe(join(alone, '.millrace'));
});

test('MILLRACE_DATA names the data sets', () => {
  const root = folderIn('clone');
  const environment = { MILLRACE_DATA: '/data' };
  expect(workspaceOf(root, { cwd: root, environment }).data).toBe('/data');
});
