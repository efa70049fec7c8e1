/** What clients of a page's server cannot do: hold connections or memory without reading. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { sendText } from '../../../src/dashboard/http/answer.ts';
import { PageServer } from '../../../src/dashboard/http/page-server.ts';

let server: PageServer;
let port: number;
afterEach(() => server.close());

async function open(handle: (path: string) => string | Promise<string>, stalledMsMax = 200) {
  server = new PageServer({
    ...{ listen: '127.0.0.1', hosts: [], hostAdvice: '', stalledMsMax },
    onFault: (error) => {
      throw error;
    },
    handle: async ({ path }, response) => sendText(response, 200, await handle(path)),
  });
  port = await server.listen(0);
}

/** Connects, and asks for the paths without waiting for answers. */
function ask(...paths: readonly string[]): Socket {
  const socket = createConnection({ host: '127.0.0.1', port }).setEncoding('utf8');
  const host = `host: 127.0.0.1:${port}`;
  socket.on('error', () => {});
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`).join(''));
  return socket;
}

test('a client that does not read its answer is disconnected, and one that waits is not', async () => {
  const slow = Promise.withResolvers<string>();
  await open((path) => (path === '/slow' ? slow.promise : 'x'.repeat(30_000_000)));
  const waiting = ask('/slow');
  const stalled = ask('/long');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  // What the system has taken for it is read only now, up to the end that the server made.
  let taken = 0;
  stalled.on('data', (part: string) => {
    taken += part.length;
  });
  await once(stalled, 'close');
  expect(taken).toBeLessThan(30_000_000);
  slow.resolve('done');
  const [text] = (await once(waiting, 'data')) as [string];
  expect(text).toContain('200 OK');
  waiting.destroy();
});

test('a client that asks on and on without an answer is disconnected', async () => {
  const never = Promise.withResolvers<string>();
  let asked = 0;
  await open(() => {
    asked++;
    return never.promise;
  });
  await once(ask(...Array.from({ length: 100 }, () => '/')), 'close');
  expect(asked).toBe(4);
});

test('a client that waits for each answer may ask any number of times', async () => {
  await open(() => 'yes');
  const socket = ask('/');
  for (let count = 0; count < 20; count++) {
    const [text] = (await once(socket, 'data')) as [string];
    expect(text).toContain('yes');
    socket.write(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
  }
  socket.destroy();
});
