/** The simulated exchange over HTTP, where real clients differ from our own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { controlTokenPath } from '../../src/venues/luno/simulator/server/control-token.ts';
import {
  type SimulatorServer,
  startSimulatorServer,
} from '../../src/venues/luno/simulator/server/simulator-server.ts';

let folder: string;
let server: SimulatorServer;
let warnings: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-clients-'));
  warnings = [];
  server = await startSimulatorServer({
    folder,
    port: 0,
    seed: 1,
    clock: createClock(),
    timers: createTimers(),
    isControlled: true,
    onWarning: (text) => warnings.push(text),
    fail: (error) => {
      throw error;
    },
  });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const controlHeaders = () => ({
  authorization: `Bearer ${readFileSync(controlTokenPath(folder), 'utf8').trim()}`,
  'content-type': 'application/json',
});

test('HEAD answers like GET, without the body', async () => {
  const address = `${server.baseUrl}/api/1/ticker?pair=XBTZAR`;
  const head = await fetch(address, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(head.headers.get('content-type')).toBe('application/json');
  expect(await head.text()).toBe('');
});

test.each(['/api/1/ticker', '/api/1/postorder', '/api/1/stream/'])(
  'an upgrade at %s, where nothing is streamed, is refused before it is made',
  async (path) => {
    const socket = new WebSocket(`${server.streamUrl}${path}`);
    const status = await new Promise((resolve) => {
      socket.on('open', () => resolve('open'));
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('error', () => {});
    });
    socket.terminate();
    expect(status).toBe(404);
  },
);

test('a deprecated address is named once', async () => {
  for (let index = 0; index < 3; index++)
    expect((await fetch(`${server.baseUrl}/api/1/XBTZAR/ticker`)).status).toBe(200);
  expect((await fetch(`${server.baseUrl}/api/1/ETHXBT/ticker`)).status).toBe(200);
  expect(warnings).toEqual(['GET /api/1/:pair/ticker is deprecated: use GET /api/1/ticker']);
});

test('the truth arrives as one JSON text, in chunks', async () => {
  const address = `${server.baseUrl}/millrace/control/truth/desk`;
  const response = await fetch(address, { headers: controlHeaders() });
  expect(response.headers.get('content-length')).toBeNull();
  const expected = JSON.parse(JSON.stringify(server.simulator.truth('desk')));
  expect(await response.json()).toEqual(expected);
});

test('the control interface switches the keep-alives off', async () => {
  const control = async (body: object): Promise<number> => {
    const options = { method: 'POST', headers: controlHeaders(), body: JSON.stringify(body) };
    return (await fetch(`${server.baseUrl}/millrace/control`, options)).status;
  };
  const frames: string[] = [];
  const socket = new WebSocket(`${server.streamUrl}/api/1/stream/XBTZAR`);
  socket.on('message', (data) => frames.push(String(data)));
  await new Promise((resolve) => socket.on('open', resolve));
  socket.send('{}');
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  const countOf = () => frames.filter((frame) => frame === '""').length;
  for (let step = 0; step < 3; step++) await control({ kind: 'advance-time', ms: 20_000 });
  await expect.poll(countOf).toBe(3);
  const signal = { kind: 'set-stream-signal', signal: 'keep-alive', isOn: false };
  expect(await control(signal)).toBe(200);
  expect(await control({ ...signal, signal: 'ping' })).toBe(200);
  expect(await control({ ...signal, signal: 'wink' })).toBe(400);
  const before = frames.length;
  for (let step = 0; step < 3; step++) await control({ kind: 'advance-time', ms: 20_000 });
  await expect.poll(() => frames.length).toBeGreaterThan(before);
  expect(countOf()).toBe(3);
  socket.terminate();
});
