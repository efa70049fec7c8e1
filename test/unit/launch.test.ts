/**
 * The launcher, run as a process in a temporary package.
 *
 * Method: a fake `npm` comes first in PATH. It records its arguments, and "installs" a Node package
 * whose Node is the one that runs this test.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const source = path.resolve(import.meta.dirname, '../../src');
const version = process.version.slice(1);

const nodePackage = `node-${process.platform}-${process.arch}`;

const npmScript = `#!/bin/sh
echo "$1 $2 $3" >> npm.log
if [ -e npm.fail ]; then cat npm.fail >&2; exit 1; fi
[ -e npm.slow ] && sleep 1
[ "$1" = ci ] && rm -rf node_modules
bin=node_modules/${nodePackage}/bin
mkdir -p $bin node_modules/${nodePackage}/include
echo '{"version":"${version}"}' > node_modules/${nodePackage}/package.json
sed 's/,"node_modules.tester":{"dev":true}//' package-lock.json > node_modules/.package-lock.json
if [ -e npm.none ]; then rm -rf node_modules/${nodePackage}
elif [ -e npm.wrap ]; then
  printf '#!/bin/sh\\nexec "${process.execPath}" "$@"\\n' > $bin/node
  chmod +x $bin/node
else ln -sf "${process.execPath}" $bin/node
fi
case "$*" in *--include=dev*)
  mkdir -p node_modules/tester
  echo '{}' > node_modules/tester/package.json
  cp package-lock.json node_modules/.package-lock.json
esac
`;

let root: string;
let children: ChildProcess[];

beforeEach(() => {
  children = [];
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-launch-')));
  fs.mkdirSync(path.join(root, 'src/runtime'), { recursive: true });
  fs.mkdirSync(path.join(root, 'bin'));
  const files = [
    'check-node',
    'node-problem',
    'launch',
    'run-script',
    'installed',
    'install',
    'bot-flags',
    'runtime/own-modules',
  ];
  for (const file of files.map((name) => `${name}.mjs`))
    fs.copyFileSync(path.join(source, file), path.join(root, 'src', file));
  write('bin/npm', npmScript, 0o755);
  write('package.json', JSON.stringify(manifest));
  write('package-lock.json', JSON.stringify(lockfileOf(version)));
  const say = 'console.log(process.pid, ...process.argv.slice(2)); process.exitCode = 7;';
  write('say.mjs', say);
  write('src/say.mjs', say);
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  fs.rmSync(root, { recursive: true });
});

const manifest = {
  engines: { node: '>=22.19' },
  optionalDependencies: { [nodePackage]: version },
  devDependencies: { tester: '1.0.0' },
};

function lockfileOf(nodeVersion: string) {
  return {
    packages: {
      '': {},
      [`node_modules/${nodePackage}`]: { version: nodeVersion, optional: true },
      'node_modules/tester': { dev: true },
    },
  };
}

function write(file: string, content: string, mode = 0o644): void {
  fs.writeFileSync(path.join(root, file), content, { mode });
}

function npmCalls(): string[] {
  const log = path.join(root, 'npm.log');
  return fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n') : [];
}

function start(...args: string[]) {
  const env = { ...process.env, PATH: `${path.join(root, 'bin')}:${process.env['PATH']}` };
  const launcher = path.join(root, 'src/launch.mjs');
  const child = spawn(process.execPath, [launcher, ...args], { cwd: os.tmpdir(), env });
  children.push(child);
  const seen = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    seen.out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    seen.err += String(chunk);
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const printed = (text: string): Promise<void> =>
    new Promise((resolve) => {
      child.stdout.on('data', () => seen.out.includes(text) && resolve());
    });
  return { child, seen, ended, printed };
}

test('the first run installs what a bot needs, without install scripts, and only once', async () => {
  const first = start('src/say.mjs', 'a', '--b');
  expect(await first.ended).toEqual({ code: 7, signal: null });
  expect(first.seen.out).toMatch(/^\d+ a --b\n$/u);
  expect(npmCalls()).toEqual(['ci --ignore-scripts --omit=dev']);
  // The headers are for those who compile against Node.
  expect(fs.existsSync(path.join(root, 'node_modules', nodePackage, 'include'))).toBe(false);

  const second = start('src/say.mjs');
  await second.ended;
  expect(second.seen.err).toBe('');
  expect(npmCalls()).toHaveLength(1);
});

test('the packages for the tests are added, and neither a bot nor an upgrade removes them', async () => {
  await start('src/say.mjs').ended;
  expect((await start('say.mjs').ended).code).toBe(7);
  expect(npmCalls()).toEqual([
    'ci --ignore-scripts --omit=dev',
    'install --no-save --ignore-scripts',
  ]);
  const again = start('src/say.mjs');
  expect([(await again.ended).code, again.seen.err]).toEqual([7, '']);
  expect(npmCalls()).toHaveLength(2);
  const more = { ...lockfileOf(version).packages, 'node_modules/more': { version: '1.0.0' } };
  write('package-lock.json', JSON.stringify({ packages: more }));
  await start('src/say.mjs').ended;
  expect(npmCalls()[2]).toBe('install --no-save --ignore-scripts');
  expect(fs.existsSync(path.join(root, 'node_modules/tester'))).toBe(true);
});

test('without a Node package, the installed Node is used, or reported as too old', async () => {
  write('npm.none', '');
  const own = start('src/say.mjs');
  expect((await own.ended).code).toBe(7);
  expect(own.seen.err).toContain(`using the installed ${process.execPath}`);
  const second = start('src/say.mjs');
  expect([(await second.ended).code, second.seen.err]).toEqual([7, '']);
  write('package.json', JSON.stringify({ ...manifest, engines: { node: '>=99.1' } }));
  const old = start('src/say.mjs');
  expect((await old.ended).code).toBe(1);
  expect(old.seen.err).toMatch(
    /^millrace: Node \S+ is too old: Millrace needs Node 99\.1 or newer, .*\n$/u,
  );
});

test('an install that removes the Node that runs it continues with the new one', async () => {
  // As npm does it: the Node of node_modules comes first in PATH.
  const old = path.join(root, 'node_modules/node/bin/node');
  fs.mkdirSync(path.dirname(old), { recursive: true });
  fs.copyFileSync(process.execPath, old);
  const env = { ...process.env, PATH: `${path.join(root, 'bin')}:${process.env['PATH']}` };
  const launcher = path.join(root, 'src/launch.mjs');
  const run = spawnSync(old, [launcher, 'src/say.mjs'], { env, encoding: 'utf8' });
  expect([run.status, fs.existsSync(old)]).toEqual([7, false]);
});

test('a low limit of open files and a Node that is too old are reported in one line each', () => {
  const script = path.join(root, 'src/check-node.mjs');
  const few = spawnSync(
    'sh',
    ['-c', `ulimit -n 100 && "${process.execPath}" "${script}" say.mjs`],
    {
      encoding: 'utf8',
    },
  );
  expect([few.status, few.stderr]).toEqual([
    1,
    'millrace: this shell allows 100 open files, and Millrace needs 128 or more: run `ulimit -n 1024` and the command again\n',
  ]);
  const text = fs.readFileSync(path.join(root, 'src/node-problem.mjs'), 'utf8');
  write('src/node-problem.mjs', text.replaceAll('process.versions.node', "'18.20.4'"));
  const old = spawnSync(process.execPath, [script, 'say.mjs'], { encoding: 'utf8' });
  expect([old.status, old.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^millrace: Node 18\.20\.4 is too old: Millrace needs Node 20 or newer, .*\n$/u,
    ),
  ]);
});

test('where possible, the pinned Node replaces the launcher', async () => {
  const run = start('say.mjs');
  await run.ended;
  expect(run.seen.out.trim()).toBe(String(run.child.pid));
});

test('imports between our files follow from their text, and a plugin gets the same modules', async () => {
  // Node would look at this file, and then not read the module as one.
  write('src/runtime/package.json', '{"type":"commonjs"}');
  write('src/runtime/inner.ts', "export const inner: string = 'inner';");
  write('src/shared.ts', 'export const shared: object = {};');
  write('plugin.mjs', "export { shared as seen } from './src/shared.ts';");
  write(
    'src/say.mjs',
    `import { inner } from './runtime/inner.ts';
    import { shared } from './shared.ts';
    import { seen } from '../plugin.mjs';
    console.log(inner, seen === shared);`,
  );
  const run = start('src/say.mjs');
  await run.ended;
  expect(run.seen.out).toBe('inner true\n');
});

test('compiled code is cached next to the packages, or where the environment says', async () => {
  write('say.mjs', 'console.log(process.env.NODE_COMPILE_CACHE);');
  vi.stubEnv('NODE_COMPILE_CACHE', undefined);
  const kept = path.join(root, 'node_modules/.cache/compiled');
  const first = start('say.mjs');
  await first.ended;
  expect(first.seen.out.trim()).toBe(kept);
  expect(fs.readdirSync(kept)).not.toEqual([]);

  vi.stubEnv('NODE_COMPILE_CACHE', path.join(root, 'elsewhere'));
  const second = start('say.mjs');
  await second.ended;
  expect(second.seen.out.trim()).toBe(path.join(root, 'elsewhere'));
  vi.unstubAllEnvs();
});

test('glibc uses one arena, or as many as the environment says', async () => {
  write('say.mjs', 'console.log(process.env.MALLOC_ARENA_MAX);');
  vi.stubEnv('MALLOC_ARENA_MAX', undefined);
  const first = start('say.mjs');
  await first.ended;
  vi.stubEnv('MALLOC_ARENA_MAX', '4');
  const second = start('say.mjs');
  await second.ended;
  vi.unstubAllEnvs();
  expect([first.seen.out.trim(), second.seen.out.trim()]).toEqual(['1', '4']);
});

test('a changed version causes a new install; a changed script or description does not', async () => {
  await start('say.mjs').ended;
  write('package.json', JSON.stringify({ ...manifest, scripts: { x: 'y' }, description: 'd' }));
  await start('say.mjs').ended;
  expect(npmCalls()).toHaveLength(1);
  const more = { ...lockfileOf(version).packages, 'node_modules/more': { version: '1.0.0' } };
  write('package-lock.json', JSON.stringify({ packages: more }));
  await start('say.mjs').ended;
  expect(npmCalls()).toHaveLength(2);
});

test('what npm changed between two starts is completed', async () => {
  await start('say.mjs').ended;
  // As by `npm install --omit=dev`.
  fs.rmSync(path.join(root, 'node_modules/tester'), { recursive: true });
  const soon = new Date(Date.now() + 5_000);
  fs.utimesSync(path.join(root, 'node_modules/.package-lock.json'), soon, soon);
  expect((await start('say.mjs').ended).code).toBe(7);
  expect(npmCalls()[1]).toBe('install --no-save --ignore-scripts');
  expect(fs.existsSync(path.join(root, 'node_modules/tester'))).toBe(true);
  expect((await start('say.mjs').ended).code).toBe(7);
  expect(npmCalls()).toHaveLength(2);
});

test('of two simultaneous launches, one installs and both run', async () => {
  write('npm.slow', '');
  const runs = [start('say.mjs', 'one'), start('say.mjs', 'two')];
  const codes = await Promise.all(runs.map(async (run) => (await run.ended).code));
  expect(codes).toEqual([7, 7]);
  expect(npmCalls()).toEqual(['ci --ignore-scripts --include=dev']);
});

test('the lock of a dead process is taken over', async () => {
  const dead = spawn('true');
  await new Promise((resolve) => dead.on('close', resolve));
  write('.install.lock', String(dead.pid));
  expect((await start('say.mjs').ended).code).toBe(7);
  expect(fs.readdirSync(root).filter((name) => name.startsWith('.install'))).toEqual([]);
});

test("a failed install shows npm's message, and the next run tries again", async () => {
  write('npm.fail', 'npm error code ENOTFOUND\n');
  const run = start('say.mjs');
  expect((await run.ended).code).toBe(1);
  expect(run.seen.err).toMatch(/ENOTFOUND\nmillrace: npm ci failed with code 1\nfix: npm says/u);
  expect(run.seen.out).toBe('');
  fs.rmSync(path.join(root, 'npm.fail'));
  expect((await start('say.mjs').ended).code).toBe(7);
});

test('a signal during an install ends the launcher by that signal and leaves no lock', async () => {
  write('npm.slow', '');
  const run = start('say.mjs');
  await expect.poll(npmCalls, { timeout: 5_000 }).toHaveLength(1);
  run.child.kill('SIGTERM');
  expect((await run.ended).signal).toBe('SIGTERM');
  expect(fs.existsSync(path.join(root, '.install.lock'))).toBe(false);
  expect((await start('say.mjs').ended).code).toBe(7);
});

test('as a parent, it passes on a signal once and ends with the exit code of the child', async () => {
  write('npm.wrap', '');
  write(
    'wait.mjs',
    `
    let count = 0;
    process.on('SIGINT', () => { count++; setTimeout(() => process.exit(10 + count), 300); });
    setInterval(() => {}, 1000);
    console.log('ready');`,
  );
  const run = start('wait.mjs');
  await run.printed('ready');
  run.child.kill('SIGINT');
  run.child.kill('SIGINT');
  expect(await run.ended).toEqual({ code: 11, signal: null });
});

test('as a parent, it ends by the signal that ended the child', async () => {
  write('npm.wrap', '');
  write('die.mjs', "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);");
  expect((await start('die.mjs').ended).signal).toBe('SIGKILL');
});

test('a missing script is named', async () => {
  const run = start('no-such.ts');
  expect((await run.ended).code).toBe(2);
  expect(run.seen.err).toContain(path.join(root, 'no-such.ts'));
});
