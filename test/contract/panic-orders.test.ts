/** A panic against an exchange behind a proxy that answers in its place. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { panicOrders } from '../../src/bot/panic/panic-orders.ts';
import { createTimers } from '../../src/runtime/timers.ts';

let server: Server | undefined;
afterEach(() => new Promise<unknown>((resolve) => server?.close(resolve)));

/**
 * Answers with pages from the call `from` on, else with a list of no order; resolves to what panic
 * has found when `until` lists were answered.
 */
async function panicBehind(pages: number, { from = 1, until = 1 } = {}) {
  let calls = 0;
  let lists = 0;
  const listening = createServer((_, response) => {
    const isPage = ++calls >= from && calls < from + pages;
    if (!isPage) lists++;
    response.writeHead(isPage ? 403 : 200, { 'content-type': isPage ? 'text/html' : 'text/json' });
    response.end(isPage ? '<h1>Forbidden</h1>' : '{"orders":[]}');
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  let open: number | undefined;
  const found = panicOrders({
    venue: {
      baseUrl: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
      ...{ streamUrl: '', paths: {}, userStreamPath: '' },
    },
    credentials: { keyId: 'panickey', keySecret: 'panicsecret' },
    namespace: undefined,
    timers: createTimers(),
    mayGoOn: () => open === undefined || lists < until,
    tell: (progress) => {
      open = progress.open;
    },
  });
  return { open: (await found).open, calls };
}

test('goes on past a page that is not of the exchange', async () => {
  expect(await panicBehind(2)).toEqual({ open: 0, calls: 3 });
}, 30_000);

test('goes on past any number of pages once the exchange has answered the key', async () => {
  expect(await panicBehind(4, { from: 2, until: 2 })).toEqual({ open: 0, calls: 6 });
}, 30_000);

test('gives up a key that nothing but refusals answer', async () => {
  await expect(panicBehind(99)).rejects.toThrow(
    /refuses the key \(403 ErrInsufficientPerms: status 403 without.*\): no order was stopped/u,
  );
}, 30_000);
