/**
 * `millrace dev --inspect`, as an editor uses it: each run waits for the debugger, which the
 * project's launch.json lets attach again and again, and stops in the TypeScript of the strategy.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { projectFiles } from '../../src/cli/projects/project-template.ts';
import { packageRoot as root } from '../support/package-root.ts';

type Message = {
  readonly method?: string;
  readonly params?: {
    readonly hitBreakpoints?: readonly string[];
    readonly callFrames?: readonly [{ readonly location: Place }];
    readonly scriptId?: string;
    readonly url?: string;
  };
};
type Place = { readonly scriptId: string; readonly lineNumber: number };

const waitMs = 60_000;
const place = 'strategies/quoter.ts';
let project = '';
let dev: ChildProcess | undefined;

beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'millrace inspect böt-')));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const made = { root, folder: project, template: 'quoter', dependency: 'none', manifest };
  for (const [name, text] of Object.entries(projectFiles(made))) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(root, join(project, 'node_modules/millrace'));
  for (const name of ['rxjs', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
});
afterAll(() => {
  dev?.kill('SIGINT');
  rmSync(project, { recursive: true, force: true });
});

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

/** Attaches to the waiting run; returns the URL and line at which it stops, and lets it go on. */
async function stopIn(port: number, url: string, line: number): Promise<string> {
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
  let id = 0;
  const send = (method: string, params: object = {}): void =>
    socket.send(JSON.stringify({ id: ++id, method, params }));
  const urls = new Map<string, string>();
  const stopped = new Promise<string>((resolve) => {
    socket.on('message', (data) => {
      const { method, params = {} }: Message = JSON.parse(String(data));
      if (method === 'Debugger.scriptParsed') urls.set(params.scriptId ?? '', params.url ?? '');
      if (method !== 'Debugger.paused') return;
      const at = params.callFrames?.[0].location;
      resolve(`${urls.get(at?.scriptId ?? '')}:${(at?.lineNumber ?? -1) + 1}`);
    });
  });
  send('Debugger.enable');
  send('Debugger.setBreakpointByUrl', { url, lineNumber: line - 1 });
  send('Runtime.runIfWaitingForDebugger');
  const where = await stopped;
  socket.terminate();
  return where;
}

test('each run stops at a breakpoint of the strategy, in its own line', async () => {
  const port = await freePort();
  const args = ['dev', '--port', '0', '--inspect', String(port)];
  dev = spawn(process.execPath, [join(root, 'src/main.ts'), ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  dev.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const file = join(project, place);
  const url = pathToFileURL(file).href;
  const lines = readFileSync(file, 'utf8').split('\n');
  // Where `quote` returns.
  const line = lines.indexOf('  }),') + 1;
  expect(line).toBeGreaterThan(1);
  expect(await stopIn(port, url, line)).toBe(`${url}:${line}`);
  await expect.poll(() => printed, { timeout: waitMs }).toContain('run 1: ');
  // A save starts the next run, which waits again; the breakpoint has moved with its line.
  writeFileSync(file, `// One more line.\n${lines.join('\n')}`);
  expect(await stopIn(port, url, line + 1)).toBe(`${url}:${line + 1}`);
  await expect.poll(() => printed, { timeout: waitMs }).toContain('run 2: ');
}, 200_000);

test('the launch.json of a project attaches to the port that --inspect has by default', () => {
  const launch = JSON.parse(readFileSync(join(project, '.vscode/launch.json'), 'utf8'));
  const [configuration] = launch.configurations;
  expect(configuration).toMatchObject({ type: 'node', request: 'attach', restart: true });
  const declared = join(root, 'src/cli/declarations/research-commands.ts');
  expect(readFileSync(declared, 'utf8')).toContain(
    `on this port of 127.0.0.1, by default ${configuration.port}`,
  );
});
