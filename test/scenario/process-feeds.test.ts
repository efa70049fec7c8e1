/**
 * Feeds of a bot as a real process: a server that fails, stalls, lies and floods; a file; and the
 * same values at the same times in the journal, the recording and a backtest.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { outsideEvents } from '../../src/bot/journal/recorded-run.ts';
import { captureEntries, captureLines } from '../../src/recording/capture/capture-reader.ts';
import { packageRoot } from '../support/package-root.ts';
import { linkModules } from '../support/planted-plugin.ts';
import { endAll, millrace, newHome } from '../support/process-bot.ts';
import { filesUnder, findIn, formsOf } from '../support/process-secrets.ts';

const ends: (() => void)[] = [];
afterAll(async () => {
  for (const end of ends) end();
  await endAll();
});

const secret = 'Canary+/=of the feed';

/** Says what it sees of its feeds, and wants no orders. */
const plugin = `/** A plugin of a test. */
import { merge, mergeMap, of } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '${join(packageRoot, 'src/index.ts')}';

export default defineStrategy({
  name: 'looks',
  parameters: z.strictObject({ feeds: z.array(z.string()) }),
  pairs: 1,
  run(context) {
    const [market] = context.pairs;
    const feeds = context.parameters.feeds.map((name) => context.feed(name));
    const say = (text) => { console.log(text); return []; };
    for (const { name, value } of feeds) console.log(\`at first, \${name} is \${value}\`);
    const idle = { kind: 'idle', pair: market.pair, reason: 'it only looks' };
    return merge(of(idle), ...feeds.flatMap(({ name, value$, usable$ }) => [
      value$.pipe(mergeMap(({ values, receivedMs }) =>
        say(\`saw \${name} \${Object.entries(values).join(' ')} at \${receivedMs}\`))),
      usable$.pipe(mergeMap((usable) => say(\`\${name} is usable: \${usable}\`))),
    ]));
  },
});
`;

function place(feeds: string, names: string) {
  const folder = newHome();
  linkModules(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'looks.ts'), plugin);
  const config = join(folder, 'bot.yaml');
  writeFileSync(
    config,
    `version: 1
bot: looker
mode: demo
strategies:
  looker:
    plugin: ./looks.ts
    feeds: [${names}]
    pairs: [XBTZAR]
    parameters: { feeds: [${names}] }
    budget: { ZAR: "20000", XBT: "0.05" }
limits: learner
feeds:
${feeds}
`,
  );
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  return { folder, config, home };
}

async function serverOf(answer: (response: ServerResponse, url: string) => void): Promise<number> {
  const server = createServer((request, response) => answer(response, request.url ?? ''));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The values that a text says a strategy saw, each with its time. */
function sawIn(text: string): readonly string[] {
  return [...text.matchAll(/saw (\S+ \S+,[^"\n]*? at \d+)/gu)].map(([, saw = '']) => saw);
}

function timeOf(saw: string | undefined): number {
  return Number.parseInt(/\d+$/u.exec(saw ?? '')?.[0] ?? '', 10);
}

test('a server may fail, stall, lie and recover; captures and backtests have what was seen', async () => {
  let mood = 'tells';
  let price = 1_000_000;
  const urls = new Set<string>();
  const port = await serverOf((response, url) => {
    urls.add(url);
    if (mood === 'fails') response.writeHead(500).end();
    else if (mood === 'lies') response.end('{"data":{"price":"0.0001"}}');
    else if (mood === 'tells') response.end(JSON.stringify({ data: { price: String(price++) } }));
  });
  const { folder, config, home } = place(
    `  reference:
    http: "http://127.0.0.1:${port}/p?key=\${MILLRACE_FEED_KEY}"
    value: data.price
    every: 200ms
    ageMax: 1500ms
    min: "1000"
  table: { file: table.csv, every: 100ms, ageMax: 1h }`,
    'reference, table',
  );
  const env = { MILLRACE_FEED_KEY: secret };
  writeFileSync(join(folder, 'table.csv'), 'time_ms,value\n1,7.50\n');
  const words = ['start', config, '--home', home, '--log', 'trace', '--plain'];
  const bot = millrace(words, { env, cwd: folder });
  await bot.sees(/at first, table is 7\.50/u);
  await bot.sees(/saw reference/u, 4);
  mood = 'fails';
  await bot.sees(/feed reference is stale: no value for \d+s: HTTP 500/u);
  await bot.sees(/reference is usable: false/u);
  await bot.sees(
    /looker XBTZAR does not trade: feed reference is stale: .*HTTP 500 \(it only looks\)/u,
  );
  const status = millrace(['status', config, '--home', home], { cwd: folder });
  await status.ended;
  expect(status.text).toContain('feed reference is stale: no value for');
  expect(status.text).toMatch(/^feed {7}reference: is stale: .*: HTTP 500; last \d+, \d+ s ago$/mu);
  expect(status.text).toMatch(/^feed {7}table: 7\.50, \d+ s ago$/mu);
  mood = 'tells';
  await bot.sees(/feed reference has values again after \d+s/u);
  mood = 'lies';
  await bot.sees(/feed reference is stale: .*: value was 0\.0001, below min, 1000/u);
  mood = 'tells';
  await bot.sees(/feed reference has values again/u, 2);
  mood = 'stalls';
  await bot.sees(/feed reference is stale: .*: no answer within 1000 ms/u);
  mood = 'tells';
  await bot.sees(/feed reference has values again/u, 3);
  await bot.sees(/saw reference/u, 24);
  bot.signal('SIGTERM');
  expect((await bot.ended).code, bot.text).toBe(0);
  expect([...urls]).toEqual([`/p?key=${encodeURIComponent(secret)}`]);

  const replay = millrace(['replay', '--home', home], { cwd: folder });
  expect((await replay.ended).code, replay.text).toBe(0);

  // No file and no output has the secret, and no journal the address.
  const texts = new Map([...filesUnder(home), ['bot', bot.text], ['status', status.text]]);
  expect(findIn(texts, formsOf(secret, 'none'))).toEqual([]);
  const journals = [...texts].filter(([name]) => name.startsWith('journal/'));
  expect(journals.length).toBeGreaterThan(0);
  for (const [, text] of journals) expect(text).not.toContain(`127.0.0.1:${port}`);

  // What the strategy saw is what the capture has, and what a backtest over it shows.
  // A terminal gets fewer lines than the log.
  const saw = sawIn(readFileSync(join(home, 'log', 'looker.log'), 'utf8'));
  expect(saw.length).toBeGreaterThanOrEqual(24);
  const [name = ''] = readdirSync(join(home, 'captures'));
  const capture = join(home, 'captures', name);
  const captured = [...captureLines(capture, () => {})]
    .flatMap((block) => [...captureEntries(block)])
    .flatMap(({ kind, pair, text, atMicros }) =>
      kind === 'feed'
        ? [
            `${pair} ${Object.entries(JSON.parse(text)).join(' ')} at ${Math.floor(atMicros / 1_000)}`,
          ]
        : [],
    );
  expect(captured).toEqual(expect.arrayContaining([...saw]));
  // A comparison of the run with a backtest of its hours plays them, too.
  const [journal = ''] = journals.map(([path]) => join(home, path));
  const played: string[] = [];
  for await (const { event } of outsideEvents(journal)) played.push(event.kind);
  expect(played.filter((kind) => kind === 'feed')).toHaveLength(captured.length);
  expect(played).toContain('feed-trouble');
  const compare = millrace(['compare', '--home', home], { cwd: folder });
  expect((await compare.ended).code, compare.text).toBe(0);
  const recording = join(folder, 'day.mrec');
  const compile = millrace(['compile', capture, '--output', recording], { cwd: folder });
  expect((await compile.ended).code, compile.text).toBe(0);
  expect(compile.text).toMatch(/feed reference +\d+ values/u);
  const verify = millrace(['verify', recording, capture], { cwd: folder });
  expect((await verify.ended).code, verify.text).toBe(0);
  const scenario = join(folder, 'scenario.yaml');
  const scenarioText = (feeds: string) => `version: 1
scenario: seen
data: { kind: recording, recording: day.mrec }
market: { pair: XBTZAR }
fees: { maker: "5bps", taker: "10bps" }
latencies: { feed: "1ms", request: "1ms", answer: "1ms" }
balances: { XBT: "1", ZAR: "1000000" }
seed: 1
botFile: bot.yaml
${feeds}`;
  writeFileSync(scenario, scenarioText(''));
  const play = async () => {
    const run = millrace(['backtest', scenario, '--home', home], { cwd: folder });
    return { code: (await run.ended).code, text: run.text };
  };
  const backtest = await play();
  expect(backtest.code, backtest.text).toBe(0);
  const seen = sawIn(backtest.text);
  expect(seen.length).toBeGreaterThan(8);
  // The strategy starts earlier in a backtest, which ends with the last row of the recording.
  const fromMs = Math.max(timeOf(saw[0]), timeOf(seen[0]));
  const toMs = Math.min(timeOf(saw.at(-1)), timeOf(seen.at(-1)));
  const inBoth = (one: string) => timeOf(one) >= fromMs && timeOf(one) <= toMs;
  expect(seen.filter(inBoth)).toEqual(saw.filter(inBoth));
  expect(seen.filter(inBoth).length).toBeGreaterThan(6);
  expect(captured).toEqual(expect.arrayContaining([...seen]));
  expect(backtest.text).toContain('reference is usable: false');

  // The file in the scenario replaces what was recorded.
  const [at = ''] = seen[2]?.match(/\d+$/u) ?? [];
  writeFileSync(join(folder, 'own.csv'), `time_ms,value\n${at},42\n`);
  writeFileSync(scenario, scenarioText('feeds: { reference: { file: own.csv } }\n'));
  const own = await play();
  expect(sawIn(own.text).filter((one) => one.startsWith('reference'))).toEqual([
    `reference value,42 at ${at}`,
  ]);
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll(/\btable\b(?!\.csv)/gu, 'chart'));
  const lacking = await play();
  expect(lacking.code).toBe(2);
  expect(lacking.text).toContain(
    'strategy looker uses the feed chart, but the recordings have only reference, table; ' +
      'name a table with its values: feeds: { chart: { file: chart.csv } }',
  );
}, 240_000);

test('a websocket that floods gives its last value; a feed nobody uses is not opened', async () => {
  const port = await serverOf((response) => response.end());
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  ends.push(() => sockets.close());
  let sent = 0;
  let connections = 0;
  sockets.on('connection', (socket) => {
    connections++;
    const flood = setInterval(() => {
      for (let count = 0; count < 30; count++) socket.send(`{"bid":${++sent},"ask":"9.5"}`);
    }, 20);
    socket.on('close', () => clearInterval(flood));
  });
  await new Promise((resolve) => sockets.once('listening', resolve));
  const { port: socketPort } = sockets.address() as AddressInfo;
  const { folder, config, home } = place(
    `  stream:
    websocket: "ws://127.0.0.1:${socketPort}/"
    values: { bid: bid, ask: ask }
    every: 250ms
    ageMax: 5s
  unused: { http: "http://127.0.0.1:${port}/", every: 100ms, ageMax: 5s }`,
    'stream',
  );
  const bot = millrace(['start', config, '--home', home, '--for', '4s', '--json'], {
    cwd: folder,
  });
  expect((await bot.ended).code, bot.text).toBe(0);
  const saw = sawIn(bot.text);
  expect(saw.length).toBeGreaterThan(2);
  expect(saw.length).toBeLessThan(20);
  expect(saw[0]).toMatch(/^stream bid,\d+ ask,9\.5 at/u);
  expect(sent).toBeGreaterThan(1_000);
  expect(connections).toBe(1);
  expect(bot.text).not.toContain('is stale');
  expect(bot.text).toMatch(
    /feeds\.unused: warning: is not opened: no strategy lists it under feeds/u,
  );
  const replay = millrace(['replay', '--home', home], { cwd: folder });
  expect((await replay.ended).code, replay.text).toBe(0);
}, 120_000);

test('a missing secret, and a feed that the strategy does not list, are named', async () => {
  const http = `  reference: { http: "https://a.example/?k=\${MILLRACE_FEED_KEY}", every: 1s, ageMax: 9s }`;
  const { folder, config, home } = place(http, 'reference');
  const bot = millrace(['start', config, '--home', home], { cwd: folder });
  expect((await bot.ended).code).toBe(2);
  expect(bot.text).toContain('the environment variable MILLRACE_FEED_KEY is not set');
  const text = readFileSync(config, 'utf8').replace('{ feeds: [reference] }', '{ feeds: [other] }');
  writeFileSync(config, text);
  const env = { MILLRACE_FEED_KEY: secret };
  const wrong = millrace(['start', config, '--home', home, '--json'], { cwd: folder, env });
  await wrong.ended;
  expect(wrong.text).toContain(
    'context.feed: name must be a feed of the strategy (reference), which its settings list under feeds, was "other"',
  );
}, 60_000);
