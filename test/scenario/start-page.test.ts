/** The steps of `docs/start.md`, one after the other, in a project of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPackage } from '../support/installed-package.ts';
import { packageRoot } from '../support/package-root.ts';

const page = readFileSync(join(packageRoot, 'docs/start.md'), 'utf8');
const steps = page.split(/^## /mu).filter((section) => /^\d+\. /u.test(section));
let folder = '';
let project = '';
const running: ChildProcess[] = [];

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'millrace start böt-')));
  project = join(folder, 'my-bot');
  installPackage(folder);
});
afterAll(() => {
  for (const { pid } of running) if (pid !== undefined && isAlive(pid)) process.kill(-pid);
  rmSync(folder, { recursive: true, force: true });
});

function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

/** The blocks of code of a step: `sh` are commands, `yaml` replaces keys, others are output. */
function blocksOf(step: string): readonly { readonly kind: string; readonly lines: string[] }[] {
  return [...step.matchAll(/^```(?<kind>\w*)\n(?<text>[\s\S]*?)^```$/gmu)].map(({ groups }) => ({
    kind: groups?.['kind'] ?? '',
    lines: (groups?.['text'] ?? '').trimEnd().split('\n'),
  }));
}

/** What a line says apart from numbers, hashes, places and the width of columns. */
function plain(line: string): string {
  return line
    .replaceAll(project, '~/my-bot')
    .replaceAll(/#token=\S+/gu, '#token=')
    .replaceAll(/[0-9a-f]{16}/gu, '#')
    .replaceAll(/[+-]?\d[\d.,:]*/gu, '#')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function start(command: string): { readonly child: ChildProcess; readonly printed: () => string } {
  const bin = [join(project, 'node_modules/.bin'), dirname(process.execPath)];
  const child = spawn('sh', ['-c', command], {
    cwd: project,
    detached: true,
    env: {
      ...process.env,
      PATH: [...bin, process.env['PATH']].join(delimiter),
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  return { child, printed: () => text };
}

/** Runs a command of the page; returns what it printed. Throws unless it ends with `code`. */
async function run(command: string, code = 0): Promise<string> {
  const { child, printed } = start(command);
  const ended = await new Promise((resolve) => child.on('close', resolve));
  expect([command, ended, ended === code ? '' : printed()]).toEqual([command, code, '']);
  return printed();
}

/** Runs `npm run dev`, edits the settings as the page says, and stops it. */
async function runDev(): Promise<string> {
  const { child, printed } = start('npm run dev -- --port 0');
  const has = (text: string) => expect.poll(printed, { timeout: 120_000 }).toContain(text);
  await has('run 1: ');
  const settings = join(project, 'millrace.yaml');
  const before = readFileSync(settings, 'utf8');
  const edit = /write `(?<key>\w+): "(?<value>\w+)"` in `millrace\.yaml`/u.exec(page)?.groups;
  const { key = '', value = '' } = edit ?? {};
  const after = before.replace(new RegExp(`${key}: "\\w+"`, 'u'), `${key}: "${value}"`);
  expect(after).not.toBe(before);
  writeFileSync(settings, after);
  await has('run 2: ');
  await has('was ');
  const ended = new Promise((resolve) => child.on('close', resolve));
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
  writeFileSync(settings, before);
  return printed();
}

/** A command of the page with an end, and without what only the registry of npm has. */
function runStep(command: string): Promise<string> {
  if (command === 'npm run dev') return runDev();
  if (command.startsWith('npm start'))
    return run(command.includes(' -- ') ? `${command} --for 6s` : `${command} -- --for 6s`);
  if (command === 'npx millrace config check live.yaml') return run(command, 2);
  return run(command);
}

test('the page leads from an empty folder to live in nine steps', () => {
  expect(steps.map((step) => /^\d+\. \w+/u.exec(step)?.[0])).toEqual([
    ...['1. Make', '2. Write', '3. Test', '4. Check', '5. Backtest', '6. Work', '7. Demo'],
    ...['8. Paper', '9. Live'],
  ]);
});

test('1. a project is made as the page says', async () => {
  const [commands] = blocksOf(steps[0] ?? '');
  expect(commands?.lines).toEqual(['npm create millrace my-bot', 'cd my-bot']);
  const millrace = join(folder, 'node_modules/.bin/millrace');
  project = folder;
  await run(`'${millrace}' init my-bot --no-install --package file:none.tgz`);
  project = join(folder, 'my-bot');
  await run('ln -s ../node_modules node_modules');
  for (const [, files = ''] of (steps[0] ?? '').matchAll(/^\| (`.*`) \|/gmu))
    for (const [, file = ''] of files.matchAll(/`([^`]+)`/gu))
      expect(readFileSync(join(project, file), 'utf8')).not.toBe('');
});

test.for(steps.slice(1).map((step) => [step.split('\n')[0] ?? '', step] as const))(
  '%s: its commands print what the page shows',
  { timeout: 300_000 },
  async ([, step]) => {
    let printed = '';
    let copied = '';
    for (const { kind, lines } of blocksOf(step)) {
      if (kind === 'sh')
        for (const line of lines) {
          copied = /^cp \S+ (\S+)$/u.exec(line)?.[1] ?? copied;
          printed += await runStep(line);
        }
      else if (kind === 'yaml') {
        const file = join(project, copied);
        const rest = readFileSync(file, 'utf8').replaceAll(/^(?:bot|mode): .*\n/gmu, '');
        writeFileSync(file, rest.replace('\nstrategies:', `\n${lines.join('\n')}\nstrategies:`));
      } else {
        const seen = printed.split('\n').map(plain).join('\n');
        for (const line of lines) expect(seen).toContain(plain(line));
      }
    }
  },
);
