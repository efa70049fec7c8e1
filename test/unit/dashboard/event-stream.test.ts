/** Server-sent events to readers that keep up, that are slow, and that never read. */
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { EventStream } from '../../../src/dashboard/http/event-stream.ts';
import { ManualTime } from '../../support/manual-time.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Opens a stream; the reader decides when it reads. */
async function open() {
  const time = new ManualTime();
  const ended = vi.fn();
  const made = Promise.withResolvers<EventStream>();
  server = createServer((_, response) =>
    made.resolve(new EventStream(response, { timers: time.timers, onEnd: ended })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port }, resolve).on('error', reject).end();
  });
  answer.on('error', () => {});
  return { time, ended, stream: await made.promise, answer };
}

/** Returns the data of every event that arrives. */
function readAll(answer: IncomingMessage): string[] {
  const seen: string[] = [];
  let text = '';
  answer.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/mu.exec(event)?.[1];
      if (data !== undefined) seen.push(data);
    }
  });
  answer.resume();
  return seen;
}

const large = 'x'.repeat(1_000_000);

test('a reader that keeps up gets every event in order', async () => {
  const { stream, answer } = await open();
  const seen = readAll(answer);
  for (const data of ['1', '2', '3']) stream.state('status', data);
  stream.news('gone', '4');
  await vi.waitFor(() => expect(seen).toEqual(['1', '2', '3', '4']));
});

test('a reader that is behind gets the newest state, and what waits for it is one event', async () => {
  const { stream, answer } = await open();
  answer.pause();
  const { rss } = process.memoryUsage();
  for (let index = 0; index < 300; index++) stream.state('status', `${index} ${large}`);
  expect(process.memoryUsage().rss - rss).toBeLessThan(100_000_000);
  const seen = readAll(answer);
  await vi.waitFor(() => expect(seen.at(-1)?.slice(0, 4)).toBe('299 '), 5_000);
  expect(seen.length).toBeLessThan(20);
});

test('a reader that takes nothing for ten seconds is dropped', async () => {
  const { time, ended, stream, answer } = await open();
  answer.pause();
  for (let index = 0; index < 30; index++) stream.state('status', large);
  for (let check = 0; check < 3; check++) time.fire();
  expect(ended).not.toHaveBeenCalled();
  time.fire();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1));
});

test('news is never left out: a reader that is behind is dropped, and asks again', async () => {
  const { ended, stream, answer } = await open();
  answer.pause();
  for (let index = 0; index < 30; index++) stream.state('status', large);
  stream.news('gone', '{}');
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1));
});

test('a quiet stream shows now and then that it is there', async () => {
  const { time, answer } = await open();
  let text = '';
  answer.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  for (let check = 0; check < 6; check++) time.fire();
  await vi.waitFor(() => expect(text).toContain(': quiet'));
});
