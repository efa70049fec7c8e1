/** `millrace check-strategy` from the outside: its exit code, and what it says. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCheckStrategy } from '../../src/cli/commands/check-strategy-command.ts';
import { projectFiles } from '../../src/cli/projects/project-template.ts';
import { workspaceOf } from '../../src/terminal/find-workspace.ts';
import { Output } from '../../src/terminal/output.ts';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { packageRoot, workspace } from '../support/package-root.ts';
import { writePlugin } from '../support/planted-plugin.ts';
import { printed } from '../support/printed.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-check-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Checks a plugin with that body of `run` over a minute of the first backtest. */
async function check(name: string, run: string, isJson = false, loading = '', parameters?: string) {
  const file = join(writePlugin(folder, name, run, loading, parameters), name);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCheckStrategy({
    file,
    scenario: writeFirst(join(folder, name), minuteOf(name)),
    graceMs: 60_000,
    workspace,
    output: new Output({ workspace, isJson, stdout, stderr }),
  });
  return { code, out: printed(stdout) };
}

test('a strategy that throws is a problem, with its place', async () => {
  const run = `return context.every(20_000).pipe(rx.map(() => { throw new Error('boom'); }));`;
  const { code, out } = await check('throws', run);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^! strategy mm-xbt stopped at .*: threw: Error: boom, at throws\/strategy\.ts:\d+$/mu,
  );
}, 30_000);

const quoteOf = (volume: number): string => `return context.every(10_000).pipe(rx.map(() => ({
  kind: 'quote', pair, reason: 'planted', orders: [
    { level: 'bid', side: 'BID', price: 990000, volume: ${volume}, postOnly: true }] })));`;

test('a strategy of which the gate refused every order was not exercised: a problem', async () => {
  const { code, out } = await check('too-large', quoteOf(10_000_000));
  expect(code).toBe(1);
  expect(out).toMatch(
    /^! the gate refused every order of the first run, so .* was compared: mm-xbt [A-Z_]+ \d+/mu,
  );
  expect(out).toMatch(/0 orders, 1 problems$/mu);
}, 30_000);

test('one that asks for nothing is not a problem, and reported as not compared', async () => {
  const idle = `return rx.concat(rx.of({ kind: 'idle', pair, reason: 'resting' }), rx.NEVER);`;
  const { code, out } = await check('asks-nothing', idle);
  expect(code).toBe(0);
  expect(out).toMatch(/^it placed no order, so no order was compared; it idled: resting 1$/mu);
}, 30_000);

test('one that places orders is compared', async () => {
  const { code, out } = await check('places', quoteOf(10_000));
  expect(out).not.toContain('no order was compared');
  expect(code).toBe(0);
}, 30_000);

/** Checks a plugin with a required parameter, called in the folder `cwd`, without a scenario. */
function checkHomeless(name: string, cwd: string, run = 'return rx.NEVER;') {
  const own = join(writePlugin(folder, name, run), name);
  const file = join(own, 'strategy.ts');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('z.object({})', 'z.object({ size: z.string() })'));
  const called = workspaceOf(packageRoot, { cwd, environment: {} });
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  return runCheckStrategy({
    file,
    scenario: undefined,
    graceMs: 60_000,
    workspace: called,
    output: new Output({ workspace: called, isJson: true, ...streams }),
  });
}

test('one whose parameters are not in `first` gets the hint to give another scenario', async () => {
  await expect(checkHomeless('homeless', packageRoot)).rejects.toThrow(
    /^scenario first was used because --scenario .* for homeless\. Without that: .*size: is miss/u,
  );
}, 30_000);

test('one that the bot of the project does not have gets the hint to add it there', async () => {
  const project = join(folder, 'project');
  const made = projectFiles({
    root: packageRoot,
    folder: project,
    template: 'quoter',
    dependency: '0.0.0',
    manifest: { version: '0.0.0', dependencies: {} },
  });
  for (const [name, text] of Object.entries(made)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  await expect(checkHomeless('unnamed', project)).rejects.toThrow(
    /^\S+\/millrace\.yaml has no strategy whose plugin is .*unnamed.*: add one.*: .*size: is miss/u,
  );
  // Where the code itself is wrong, nothing else is said.
  const broken = checkHomeless('broken', project, 'return rx.NEVER; }}');
  await expect(broken).rejects.toThrow(/^plugin \.\/strategy\.ts cannot be loaded: /u);
  await expect(broken).rejects.not.toThrow(/add one/u);
}, 30_000);

test('one that holds a position sees what it cost', async () => {
  const run = `return rx.merge(
    market.top$.pipe(rx.take(1), rx.map(({ bid }) => ({
      kind: 'quote', pair, reason: 'planted', orders: [
        { level: 'bid', side: 'BID', price: bid, volume: 10_000, postOnly: true }] }))),
    market.fill$.pipe(rx.filter(({ booked }) => booked), rx.map(({ price }) => {
      throw new Error('paid ' + price + ', average ' + market.position.averagePrice);
    })));`;
  const { out } = await check('averages', run);
  expect(out).toMatch(/threw: Error: paid (\d+), average \1, at averages/u);
}, 30_000);

test('a clock is found wherever a plugin reads it: loading, in hooks, in events, in promises', async () => {
  const loading = 'const loadedAt = Date.now();';
  const parameters = 'z.object({}).transform((value) => { Math.random(); return value; })';
  const run = `performance.now();
    return context.every(10_000).pipe(rx.map((count) => {
      if (count === 0) Promise.resolve().then(() => new Date());
      if (count === 1) process.hrtime();
      return { kind: 'idle', pair, reason: 'planted' };
    }));`;
  const { out } = await check('reads-everywhere', run, true, loading, parameters);
  const file = join(folder, 'strategies', 'reads-everywhere', 'strategy.ts');
  const lines = readFileSync(file, 'utf8').split('\n');
  const uses = [
    ...['Date.now', 'Math.random', 'performance.now', 'process.hrtime'],
    'new Date()',
  ].map((what) => ({ what, file, line: lines.findIndex((line) => line.includes(what)) + 1 }));
  expect(JSON.parse(out).ambient).toEqual(uses);
}, 30_000);
