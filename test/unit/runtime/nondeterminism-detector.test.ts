/** Nondeterministic calls of a plugin, tested in a process that has the real stacks of Node. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NondeterministicUse } from '../../../src/runtime/nondeterminism-detector.ts';
import { linkModules } from '../../support/planted-plugin.ts';

const runtime = join(import.meta.dirname, '../../../src/runtime');
const traps = join(runtime, 'nondeterminism-detector.ts');
const running = join(runtime, 'running-code.ts');
const root = mkdtempSync(join(realpathSync(tmpdir()), 'millrace-traps-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/**
 * Loads `text` as the module of a plugin in the folder `name`, while the traps are set, and waits
 * for its promises and timers. `then` is code that runs afterwards; there, `loaded` is the module.
 */
function run(name: string, text: string, then = ''): readonly NondeterministicUse[] {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'strategy.mjs');
  writeFileSync(file, text);
  const program = `
    import { trapNondeterminism } from ${JSON.stringify(traps)};
    import { declarePlugin, loadPlugin, runCodeOf } from ${JSON.stringify(running)};
    const uses = [];
    declarePlugin({ files: [${JSON.stringify(file)}], packages: [] });
    const untrap = trapNondeterminism({ onUse: (use) => uses.push(use) });
    const loaded = await loadPlugin(() => import(${JSON.stringify(pathToFileURL(file).href)}));
    await new Promise((resolve) => setTimeout(resolve, 20));
    ${then}
    untrap();
    process.stdout.write(JSON.stringify(uses));`;
  const commandLine = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, commandLine, { encoding: 'utf8' });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}

test.each(['my bots', 'strät', 'bots(1)', 'a:7:1', '50%'])(
  'uses in the folder "%s" are found',
  (name) => {
    const file = join(root, name, 'strategy.mjs');
    expect(run(name, '\n\nDate.now();\n')).toEqual([{ what: 'Date.now', file, line: 3 }]);
  },
);

/** Lines of a module, each with the uses that are reported for it. */
const reported: readonly (readonly [line: string, ...what: string[]])[] = [
  ['process.hrtime.bigint()', 'process.hrtime.bigint'],
  ['process.memoryUsage()', 'process.memoryUsage'],
  ['process.memoryUsage.rss()', 'process.memoryUsage.rss'],
  ['performance.timeOrigin', 'performance.timeOrigin'],
  [`new Event('x').timeStamp`, 'Event.timeStamp'],
  ['AbortSignal.timeout(5)', 'AbortSignal.timeout'],
  [`'X' in process.env`, 'process.env'],
  ['Object.keys(process.env)', 'process.env'],
  [`Object.hasOwn(process.env, 'X')`, 'process.env'],
  [`process.env['X'] = 'x'`, 'process.env'],
  ['process.pid', 'process.pid'],
  ['process.argv', 'process.argv'],
  ['navigator.hardwareConcurrency', 'navigator.hardwareConcurrency'],
  ['process.getBuiltinModule("node:os").hostname()', 'node:os hostname'],
  ['[1].map(Math.random)', 'Math.random'],
  ['date.getHours()', 'getHours'],
  ['date.getDay()', 'getDay'],
  ['date.setHours(1)', 'setHours'],
  ['date.setMilliseconds(1)', 'setMilliseconds'],
  ['date.getTimezoneOffset()', 'getTimezoneOffset'],
  ['date.toString()', 'toString'],
  [`'' + date`, 'toString'],
  ['date.toLocaleString()', 'toLocaleString'],
  [`date.toLocaleDateString('en')`, 'toLocaleDateString'],
  ['new Date(2026, 1, 2)', 'new Date'],
  [`new Date('2026-11-20T12:00:00')`, 'new Date'],
  [`new Date('20 Nov 2026')`, 'new Date'],
  [`Date.parse('2026-11-20 12:00')`, 'Date.parse'],
  ['(1234.5).toLocaleString()', 'toLocaleString'],
  ['10n.toLocaleString()', 'toLocaleString'],
  [`'a'.localeCompare('b')`, 'localeCompare'],
  [`['b', 'a'].sort((one, other) => one.localeCompare(other))`, 'localeCompare'],
  [`'I'.toLocaleLowerCase()`, 'toLocaleLowerCase'],
  ['new Intl.NumberFormat()', 'Intl.NumberFormat'],
  ['Intl.Collator([])', 'Intl.Collator'],
  [`new Intl.DateTimeFormat('en')`, 'Intl.DateTimeFormat'],
  [`new Intl.DateTimeFormat('en', utc).format()`, 'Intl.DateTimeFormat.format'],
  [`new Intl.DateTimeFormat('en', utc).formatToParts()`, 'Intl.DateTimeFormat.formatToParts'],
];

/** Lines that give the same result on every machine. */
const deterministic = [
  'date.getUTCHours()',
  'date.setUTCHours(1)',
  'date.getSeconds()',
  'date.toISOString()',
  'JSON.stringify({ date })',
  'date.getTime() - +new Date(5)',
  'new Date(date)',
  'Date.UTC(2026, 1, 2)',
  `new Date('2026-11-20')`,
  `new Date('2026-11-20T12:00Z')`,
  `new Date('2026-11-20T12:00:00.5+02:00')`,
  `Date.parse('Fri, 20 Nov 2026 12:00:00 GMT')`,
  `Date.parse('no date')`,
  `date.toLocaleString('en', utc)`,
  `(1234.5).toLocaleString('en-US')`,
  '(1234.5).toString()',
  `'a'.localeCompare('b', 'en')`,
  `'A'.toLowerCase()`,
  `new Intl.NumberFormat('en').format(1)`,
  `new Intl.DateTimeFormat('en', utc).format(date)`,
  'new Event("x").type',
  'date instanceof Date && new Date(5) instanceof Date',
];

const head = `const date = new Date(5), utc = { timeZone: 'UTC' };\n`;

test('each nondeterministic line is reported, also for local time and language', () => {
  const uses = run('reported', head + reported.map(([line]) => `${line};`).join('\n'));
  const found = reported.map((_, index) =>
    uses.filter(({ line }) => line === index + 2).map(({ what }) => what),
  );
  expect(found).toEqual(reported.map(([, ...what]) => what));
});

test('a deterministic line is not reported', () => {
  const text = head + deterministic.map((line) => `${line};`).join('\n');
  expect(run('deterministic', text)).toEqual([]);
});

test('modules are trapped however a plugin gets them, before or after their first use', () => {
  const uses = run(
    'modules',
    `import { request } from 'http';
import { createRequire } from 'node:module';
const quiet = (call) => call.on('error', () => {});
quiet(request('http://127.0.0.1:1/'));
createRequire(import.meta.url)('https').globalAgent.destroy();
quiet(createRequire(import.meta.url)('https').get('https://127.0.0.1:1/'));
(await import('node:dns')).getServers();
process.getBuiltinModule('child_process').execSync('true');
const { createSocket } = await import('dgram');
createSocket('udp4').close();
process.getBuiltinModule('node:http').request('http://127.0.0.1:1/').on('error', () => {});
`,
  );
  // To resolve an import, Node's loader reads the environment.
  const calls = uses.filter(({ what }) => what !== 'process.env');
  expect(calls.map(({ what, line }) => `${line} ${what}`)).toEqual([
    '4 node:http request',
    '6 node:https get',
    '7 node:dns getServers',
    '8 node:child_process execSync',
    '10 node:dgram createSocket',
    '11 node:http request',
  ]);
});

test('the error of Node for a wrong module name stays as it is', () => {
  const text = `try {
  process.getBuiltinModule(5);
} catch ({ code }) {
  if (code === 'ERR_INVALID_ARG_TYPE') Date.now();
}`;
  expect(run('wrong-name', text).map(({ what, line }) => `${line} ${what}`)).toEqual([
    '4 Date.now',
  ]);
});

test('the advice for local time names the function to use', () => {
  const [use] = run('advised', 'new Date(5).getHours();');
  expect(use?.advice).toBe("it depends on the machine's time zone; use getUTCHours");
});

test('a plugin that turns stacks off is still reported', () => {
  expect(run('stackless', 'Error.stackTraceLimit = 0;\nDate.now();')).toHaveLength(1);
});

describe('a use is reported with its line', () => {
  const linesOf = (name: string, text: string) =>
    run(name, text).map(({ what, line }) => [what, line]);

  test('in the callback of a promise', () => {
    const text = 'Promise.resolve()\n.then(() =>\nDate.now());';
    expect(linesOf('promise', text)).toEqual([['Date.now', 3]]);
  });

  test('after a promise was awaited', () => {
    const text = '(async () => {\nawait null;\nMath.random();\n})();';
    expect(linesOf('awaited', text)).toEqual([['Math.random', 3]]);
  });

  test('in the callback of a timer, in addition to the timer', () => {
    const text = 'setTimeout(() =>\nDate.now(), 1);';
    expect(linesOf('timer', text)).toEqual([
      ['setTimeout', 1],
      ['Date.now', 2],
    ]);
  });

  test('through a function that was stored in a variable', () => {
    const text = 'const { now } = Date;\n\nnow();';
    expect(linesOf('taken', text)).toEqual([['Date.now', 3]]);
  });
});

describe('a package', () => {
  const file = join(root, 'node_modules', 'ticking', 'index.mjs');
  beforeAll(() => {
    mkdirSync(dirname(file), { recursive: true });
    const manifest = JSON.stringify({ name: 'ticking', exports: './index.mjs' });
    writeFileSync(join(dirname(file), 'package.json'), manifest);
    writeFileSync(file, 'performance.now();\nexport const tick = () =>\nDate.now();\n');
  });
  const loading = { what: 'performance.now', package: 'ticking', file, line: 1 };

  test('is reported by its name and its own line while it loads, and once in calls', () => {
    const text = "import { tick } from 'ticking';\n\ntick();\ntick();";
    expect(run('calls-package', text)).toEqual([
      loading,
      { what: 'Date.now', package: 'ticking', file, line: 3 },
    ]);
  });

  test('is reported with its own line when it runs as a callback of the plugin', () => {
    const text = "export { tick } from 'ticking';";
    expect(run('lends-package', text, "runCodeOf('plugin', loaded.tick);")).toEqual([
      loading,
      { what: 'Date.now', package: 'ticking', file, line: 3 },
    ]);
  });

  test('is not reported when Millrace calls it', () => {
    const text = "export { tick } from 'ticking';";
    expect(run('spares-package', text, 'loaded.tick();')).toEqual([loading]);
  });
});

test('a package of Millrace is reported with the line that called it, but a schema is not', () => {
  linkModules(join(root, 'of-millrace'));
  const text = `import { Decimal } from 'decimal.js';
import { z } from 'zod';
Decimal.random();
z.strictObject({ a: z.number() }).parse({ a: 1 });`;
  const uses = run('of-millrace', text);
  expect(new Set(uses.map(({ line }) => line))).toEqual(new Set([3]));
});

test('no stack is captured while Millrace runs its own code', () => {
  const counted = `
    let stacks = 0, limit = Error.stackTraceLimit;
    Object.defineProperty(Error, 'stackTraceLimit', {
      configurable: true, get: () => limit, set: (value) => { stacks++; limit = value; } });
    runCodeOf('millrace', () => { Date.now(); Math.random(); new Date(); process.env.HOME; });
    uses.push(stacks);
    Date.now();
    uses.push(stacks);`;
  expect(run('own', '', counted)).toEqual([0, 2]);
});
