/**
 * `millrace debug` as a process: what it prints, its page, the debugger that it stops in a
 * strategy, and that it reaches nothing.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { projectFiles } from '../../src/cli/projects/project-template.ts';
import { writeFirst } from '../support/first-scenario.ts';
import { packageRoot as root } from '../support/package-root.ts';

const main = join(root, 'src/main.ts');
const waitMs = 60_000;
let home = '';
let project = '';
/** A minute of the first scenario. */
let minute = '';
const children: ChildProcess[] = [];

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'millrace-debug-home-'));
  project = realpathSync(mkdtempSync(join(tmpdir(), 'millrace debug böt-')));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const made = { root, folder: project, template: 'quoter', dependency: 'none', manifest };
  for (const [name, text] of Object.entries(projectFiles(made))) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    const played = 'backtest: ./backtests/minute/scenario.yaml';
    writeFileSync(join(project, name), text.replace(/^backtest: .*$/mu, played));
  }
  minute = join(project, 'backtests/minute');
  mkdirSync(minute, { recursive: true });
  writeFirst(minute, [[/^to: .*$/mu, 'to: "2026-11-20T12:01:30Z"']]);
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(root, join(project, 'node_modules/millrace'));
  for (const name of ['rxjs', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true });
});

function debug(words: readonly string[], cwd = root) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'debug', ...words], {
    cwd,
    encoding: 'utf8',
  });
  return { status, stderr, answer: status === 0 ? JSON.parse(stdout) : undefined };
}

function started(words: readonly string[], cwd = root) {
  const child = spawn(process.execPath, [main, 'debug', ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  return { child, printed };
}

test('one event is printed as JSON, the first decision or the one that is asked for', () => {
  const { answer, status, stderr } = debug([minute, '--json']);
  expect([status, stderr]).toEqual([0, '']);
  expect(answer.run).toMatchObject({ source: 'backtest', strategies: ['mm-xbt'], notes: [] });
  expect(answer.event.marks).toContain('decision');
  const { events } = answer.run;
  const last = debug([minute, '--event', String(events), '--json']);
  expect(last.answer.event.number).toBe(events);
  const decided = debug([minute, '--at', '2', '--json']);
  const [judged] = decided.answer.event.happenings.filter(
    ({ kind }: { kind: string }) => kind === 'judged',
  );
  expect(judged).toMatchObject({ strategyId: 'mm-xbt', isApproved: true });
}, 60_000);

describe('an error names the thing and the cure', () => {
  test.each([
    [['minute', '--at', '03:00'], 4, '03:00 is outside the run, which is from 2026-11-20T12:00:30'],
    [['minute', '--at', 'BX404'], 4, 'no order "BX404" among the '],
    [['minute', '--event', '99999999'], 2, 'the run has events 1 to '],
    [['minute', '--at', '1', '--event', '2'], 2, 'remove one of them'],
    [['none-such'], 4, 'no scenario none-such'],
    [['backtests/first/recording.mrec'], 2, 'is a recording'],
    [['gone.jsonl'], 4, 'there is no journal'],
  ])('%j', (words, code, message) => {
    const { status, stderr } = debug(words.map((word) => (word === 'minute' ? minute : word)));
    expect([status, stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  test('a scenario whose recording is gone', () => {
    const folder = join(home, 'gone');
    mkdirSync(folder);
    cpSync(join(root, 'backtests/first/scenario.yaml'), join(folder, 'scenario.yaml'));
    const { status, stderr } = debug([folder]);
    expect([status, stderr]).toEqual([4, expect.stringContaining('recording.mrec')]);
  });
});

describe('of a bot', () => {
  const config = join(root, 'config/demo.yaml');
  const botFiles = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('gone'))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
    );

  beforeAll(() => {
    const words = ['start', config, '--home', home, '--for', '6s', '--json'];
    const { status, stderr } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.anything()]);
  }, 60_000);

  test('its newest run is stepped through by its journal, and nothing of the bot changes', () => {
    const before = botFiles();
    expect(Object.keys(before).some((file) => file.endsWith('.sqlite'))).toBe(true);
    const { status, stderr, answer } = debug([config, '--home', home, '--json']);
    expect([status, stderr]).toEqual([0, '']);
    expect(answer.run).toMatchObject({ source: 'journal', notes: [] });
    expect(answer.run.counts.order).toBeGreaterThan(0);
    const { happenings, placesIn } = answer.event;
    expect(placesIn).toBe('our book');
    expect(happenings.map(({ kind }: { kind: string }) => kind)).toContain('emitted');
    expect(botFiles()).toEqual(before);
  }, 60_000);

  test('a journal of another version names what plays it', () => {
    const journal = readdirSync(join(home, 'journal'))[0] ?? '';
    const text = readFileSync(join(home, 'journal', journal), 'utf8');
    const older = join(home, 'older.jsonl');
    // The checksum is that of the changed line.
    const [head = '', ...rest] = text.split('\n');
    const changed = head.slice(9).replace(/"version":\d+/u, '"version":2');
    const sum = crcOf(changed);
    writeFileSync(older, [`${sum} ${changed}`, ...rest].join('\n'));
    const { status, stderr } = debug([older, '--home', home]);
    expect([status, stderr]).toEqual([1, expect.stringContaining('replay it with Millrace 0.1.0')]);
  }, 60_000);
});

function crcOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Returns the TCP sockets of a process by /proc: `local remote state`. */
function socketsOf(pid: number): readonly string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/u.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/u))
      .filter((words) => inodes.has(words[9] ?? ''))
      .map(([, local = '', remote = '', state = '']) => `${local} ${remote} ${state}`),
  );
}

test('the page answers on this machine alone, and the process has no other socket', async () => {
  const { child, printed } = started([minute, '--port', '0']);
  await expect.poll(() => printed.out, { timeout: waitMs }).toMatch(/^page http/mu);
  const [, address = ''] = /^page (http:\S+)$/mu.exec(printed.out) ?? [];
  const { port, pathname } = new URL(address);
  const api = address.replace(/page$/u, 'api');
  const answerOf = async (path: string): Promise<unknown> => (await fetch(`${api}/${path}`)).json();
  expect(await answerOf('run')).toMatchObject({ source: 'backtest' });
  const next = (await answerOf('find?from=0&kind=fill')) as { readonly number: number };
  expect(await answerOf(`event?number=${next.number}`)).toMatchObject({
    marks: expect.arrayContaining(['fill']),
  });
  expect((await fetch(`http://127.0.0.1:${port}/api/run`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}${pathname}`)).status).toBe(200);
  expect((await fetch(`${api}/event?number=0`)).status).toBe(400);
  const local = `0100007F:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = socketsOf(child.pid ?? 0);
  expect(sockets.some((socket) => socket.startsWith(`${local} 00000000:0000`))).toBe(true);
  expect(sockets.filter((socket) => !socket.startsWith(local))).toEqual([]);
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(child.exitCode).toBe(0);
}, 60_000);

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly callFrames?: readonly {
      readonly callFrameId: string;
      readonly location: { readonly scriptId: string; readonly lineNumber: number };
      readonly scopeChain: readonly {
        readonly type: string;
        readonly object: { readonly objectId: string };
      }[];
    }[];
    readonly scriptId?: string;
    readonly url?: string;
  };
  readonly result?: { readonly result?: readonly { readonly name: string }[] };
};

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

/** Attaches as an editor does; returns where each stop was and its local names, and goes on. */
async function attached(port: number) {
  let target: string | undefined;
  await expect
    .poll(
      async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
        const list = (await answer?.json()) as [{ webSocketDebuggerUrl: string }] | undefined;
        target = list?.[0].webSocketDebuggerUrl;
        return target;
      },
      { timeout: waitMs },
    )
    .toBeDefined();
  const socket = new WebSocket(target ?? '');
  await new Promise((resolve) => socket.once('open', resolve));
  const urls = new Map<string, string>();
  const stops: { readonly place: string; names: readonly string[] }[] = [];
  let id = 0;
  const send = (method: string, params: object = {}): void =>
    socket.send(JSON.stringify({ id: ++id, method, params }));
  socket.on('message', (data) => {
    const { method, params = {}, result }: Message = JSON.parse(String(data));
    if (method === 'Debugger.scriptParsed') urls.set(params.scriptId ?? '', params.url ?? '');
    const [frame] = params.callFrames ?? [];
    const last = stops.at(-1);
    if (method === 'Debugger.paused' && frame !== undefined) {
      const { scriptId, lineNumber } = frame.location;
      stops.push({ place: `${urls.get(scriptId)}:${lineNumber + 1}`, names: [] });
      const scope = frame.scopeChain.find(({ type }) => type === 'local');
      send('Runtime.getProperties', { objectId: scope?.object.objectId, ownProperties: true });
    } else if (Array.isArray(result?.result) && last !== undefined) {
      last.names = result.result.map(({ name }) => name);
      send('Debugger.resume');
    }
  });
  send('Debugger.enable');
  send('Runtime.enable');
  send('Runtime.runIfWaitingForDebugger');
  return { stops, close: () => socket.terminate() };
}

describe('--inspect stops an editor in the strategy, once, at the event', () => {
  test.each([
    ['of the clone', () => ({ cwd: root, run: minute, file: 'strategies/simple-mm/strategy.ts' })],
    ['of a project', () => ({ cwd: project, run: 'millrace.yaml', file: 'strategies/quoter.ts' })],
  ])(
    '%s',
    async (_, given) => {
      const { cwd, run, file } = given();
      const port = await freePort();
      const words = [run, '--inspect', String(port), '--json'];
      const { child, printed } = started(words, cwd);
      const editor = await attached(port);
      const code = await new Promise((resolve) => child.once('exit', resolve));
      editor.close();
      expect([code, printed.err]).toEqual([0, expect.stringContaining(`127.0.0.1:${port}`)]);
      const [stop, ...more] = editor.stops;
      expect(more).toEqual([]);
      const [url = '', line = ''] = stop?.place.split(/:(?=\d+$)/u) ?? [];
      expect(url).toBe(pathToFileURL(join(cwd, file)).href);
      const text = readFileSync(join(cwd, file), 'utf8').split('\n')[Number(line) - 1] ?? '';
      // A statement of the code, not a comment, a type or the head of the file.
      expect(text).toMatch(/\S/u);
      expect(text).not.toMatch(/^\s*(?:\/\/|\*|\/\*|import|type|export)/u);
      expect(stop?.names.length).toBeGreaterThan(0);
      const { event } = JSON.parse(printed.out);
      expect(event.happenings.some(({ kind }: { kind: string }) => kind === 'emitted')).toBe(true);
    },
    90_000,
  );
});
