/**
 * What a page's server refuses, as named checks that a test and a prover run against a real one.
 * None of them changes the bot: commands are sent only so that they must be refused.
 */
import assert from 'node:assert/strict';
import {
  askPage,
  bearer,
  idleConnections,
  type PageTarget,
  rawPage,
  readEvents,
  type SecurityCheck,
} from './page-requests.ts';

import { commandChecks, tokenChecks } from './page-token-checks.ts';

const api = '/api/v1';
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

async function statusOf(
  target: PageTarget,
  headers: Readonly<Record<string, string>>,
  path = `${api}/bots`,
): Promise<number> {
  return (await askPage(target, path, { headers: { ...bearer(target), ...headers } })).status;
}

async function refusesEach(
  target: PageTarget,
  all: readonly Readonly<Record<string, string>>[],
  status: number,
): Promise<void> {
  for (const headers of all)
    assert.equal(await statusOf(target, headers), status, JSON.stringify(headers));
}

const commandsOf = ({ bot }: PageTarget): string => `${api}/bots/${bot}/commands`;

/** Waits until `is` is true; throws if that takes longer than `waitMs`. */
async function until(is: () => boolean | Promise<boolean>, waitMs = 15_000): Promise<void> {
  const endMs = Date.now() + waitMs;
  while (!(await is())) {
    assert.ok(Date.now() < endMs, `not true after ${waitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const hosts: readonly SecurityCheck[] = [
  {
    name: 'a foreign Host is refused, also for files of the page and with the right token',
    run: async (target) => {
      await refusesEach(
        target,
        [{ host: 'evil.example' }, { host: `evil.example:${target.port}` }],
        403,
      );
      for (const path of ['/', '/page.js', '/nothing'])
        assert.equal(await statusOf(target, { host: 'evil.example' }, path), 403, path);
    },
  },
  {
    name: 'a Host that only looks like this machine is refused',
    run: async (target) => {
      const { port } = target;
      const tricks = [
        ...[`127.0.0.1:${port}.evil.example`, `localhost.evil.example:${port}`, '127.0.0.1:abc'],
        ...[`127.0.0.1:${port}@evil.example`, `evil@127.0.0.1:${port}`, `127.0.0.1:${port + 1}`],
        ...[`127.0.0.1:${port},evil.example`, `[::ffff:7f00:1]:${port}`, `0.0.0.0:${port}`],
        ...[`127.1:${port}`, `2130706433:${port}`, 'localhost', `localhost.:${port}`],
      ];
      await refusesEach(
        target,
        tricks.map((host) => ({ host })),
        403,
      );
    },
  },
  {
    name: 'a request without a Host is refused',
    run: async (target) => {
      const { text } = await rawPage(target, `GET ${api}/bots HTTP/1.0\r\n\r\n`);
      assert.match(text, /^HTTP\/1\.1 403 /u);
      const modern = await rawPage(target, `GET ${api}/bots HTTP/1.1\r\n\r\n`);
      assert.match(modern.text, /^HTTP\/1\.1 400 /u);
    },
  },
  {
    name: 'a request with two Hosts is refused',
    run: async (target) => {
      const own = `127.0.0.1:${target.port}`;
      const { text } = await rawPage(
        target,
        `GET / HTTP/1.1\r\nHost: ${own}\r\nHost: evil.example\r\n\r\n`,
      );
      assert.match(text, /^HTTP\/1\.1 40[03] /u);
    },
  },
  {
    name: 'a foreign Origin is refused, also null',
    run: (target) =>
      refusesEach(
        target,
        [
          'http://evil.example',
          'null',
          `http://127.0.0.1:${target.port + 1}`,
          `http://localhost:${target.port}`,
          'file://',
        ].map((origin) => ({ origin })),
        403,
      ),
  },
  {
    name: 'a request from another site is refused by Sec-Fetch-Site, the bare page excepted',
    run: async (target) => {
      const sites = ['cross-site', 'same-site'].map((site) => ({ 'sec-fetch-site': site }));
      await refusesEach(target, sites, 403);
      const navigation = {
        ...{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
        'sec-fetch-dest': 'document',
      };
      assert.equal((await askPage(target, '/', { headers: navigation })).status, 200);
      const framed = { ...navigation, 'sec-fetch-dest': 'iframe' };
      assert.equal((await askPage(target, '/', { headers: framed })).status, 403);
    },
  },
];

const answers: readonly SecurityCheck[] = [
  {
    name: 'every answer forbids foreign scripts, frames and types',
    run: async (target) => {
      for (const path of ['/', '/nothing', `${api}/bots`, `${api}/nothing`]) {
        const { headers } = await askPage(target, path);
        assert.equal(headers['content-security-policy'], policy, path);
        assert.equal(headers['x-content-type-options'], 'nosniff');
        assert.equal(headers['referrer-policy'], 'no-referrer');
        assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
        assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      }
    },
  },
  {
    name: 'no answer allows another origin, also not a preflight',
    run: async (target) => {
      const origin = `http://127.0.0.1:${target.port}`;
      const preflight = { method: 'OPTIONS', headers: { origin } };
      const seen = [
        await askPage(target, commandsOf(target), preflight),
        await askPage(target, `${api}/bots`, { headers: { origin, ...bearer(target) } }),
      ];
      assert.deepEqual(
        seen.map(({ status }) => status),
        [405, 200],
      );
      for (const { headers } of seen)
        for (const name of Object.keys(headers))
          assert.ok(!name.startsWith('access-control-'), name);
    },
  },
  {
    name: 'a path with tricks is nothing',
    run: async (target) => {
      const own = `127.0.0.1:${target.port}`;
      const paths = [
        ...['//', '/..', '/../package.json', '/%2e%2e/package.json', '/page.js%00', '/a//b', '/./'],
        ...[`${api}/bots/../bots`, `/${'x'.repeat(3_000)}`, 'http://evil.example/', '*'],
      ];
      for (const path of paths) {
        const { text } = await rawPage(
          target,
          `GET ${path} HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`,
        );
        assert.match(text, /^HTTP\/1\.1 4(?:00|03|04|14) /u, path);
      }
    },
  },
  {
    name: 'other methods, upgrades and broken requests are refused',
    run: async (target) => {
      const own = `127.0.0.1:${target.port}`;
      for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'TRACE'])
        assert.equal((await askPage(target, `${api}/bots`, { method })).status, 405, method);
      const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n`;
      const upgraded = await rawPage(
        target,
        `GET ${api}/bots HTTP/1.1\r\nHost: ${own}\r\n${upgrade}Sec-WebSocket-Version: 13\r\n\r\n`,
        1_000,
      );
      assert.doesNotMatch(upgraded.text, /^HTTP\/1\.1 101/u);
      const broken = await rawPage(target, 'no HTTP at all\r\n\r\n');
      assert.match(broken.text, /^HTTP\/1\.1 400 /u);
    },
  },
];

const sizes: readonly SecurityCheck[] = [
  {
    name: 'a body of 100 MB is refused before it is read',
    run: async (target) => {
      const own = `Host: 127.0.0.1:${target.port}\r\nX-Millrace-Request: 1\r\nContent-Type: application/json\r\n`;
      const declared = await rawPage(
        target,
        `POST ${api}/session HTTP/1.1\r\n${own}Content-Length: 104857600\r\n\r\n${'x'.repeat(20_000)}`,
      );
      assert.match(declared.text, /^HTTP\/1\.1 413 /u);
      assert.ok(declared.isClosed);
      const chunk = `2000\r\n${'x'.repeat(0x2000)}\r\n`;
      const chunked = await rawPage(
        target,
        `POST ${api}/session HTTP/1.1\r\n${own}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(8)}`,
      );
      assert.match(chunked.text, /^HTTP\/1\.1 413 /u);
      assert.ok(chunked.isClosed);
    },
  },
  {
    name: 'headers of more than 8 kB are refused',
    run: async (target) => {
      const { text } = await rawPage(
        target,
        `GET / HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nX-A: ${'x'.repeat(9_000)}\r\n\r\n`,
      );
      assert.match(text, /^HTTP\/1\.1 431 /u);
    },
  },
  {
    name: 'a client that sends its headers byte by byte is dropped',
    run: async (target) => {
      const { isClosed } = await rawPage(target, 'GET / HTTP/1.1\r\nHo', 9_000);
      assert.ok(isClosed);
    },
  },
  {
    name: '1,000 connections take no more than the server allows, and an open page goes on',
    run: async (target) => {
      const page = readEvents(target, `${api}/bots/${target.bot}/events`);
      await until(() => page.seen.length > 0);
      const sockets = await idleConnections(target, 1_000);
      try {
        const seen = page.seen.length;
        await until(() => page.seen.length > seen + 1);
        const isOpen = ({ readyState }: (typeof sockets)[number]) => readyState === 'open';
        await until(() => sockets.filter(isOpen).length <= 100);
      } finally {
        for (const socket of sockets) socket.destroy();
        page.end();
      }
      await until(async () => (await statusOf(target, {}).catch(() => 0)) === 200);
    },
  },
];

export const pageSecurityChecks: readonly SecurityCheck[] = [
  ...hosts,
  ...answers,
  ...commandChecks,
  ...sizes,
  ...tokenChecks,
];
