/** `--flow`: the rows, the market and the bot settings made from recorded order flow. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { flowBotYaml, flowDepositsOf, loadOrderFlow } from '../../../src/bot/start/flow-demo.ts';
import { ConfigError, DecodeError } from '../../../src/domain/errors.ts';
import { loadBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { settingsWithFlow } from '../../../src/venues/luno/simulator/server/known-markets.ts';
import { createSimulator } from '../../../src/venues/luno/simulator/world/simulator.ts';
import { outsideData } from '../../prove/outside-data.ts';
import { workspace } from '../../support/package-root.ts';
import { problemOfCommand, suggestedIn } from '../../support/pasted-commands.ts';
import { startMicros } from '../../support/simulated-exchange.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-flow-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const snapshot = {
  venue: 'ABC HOUSE',
  symbol: 'X',
  bids: [{ id: '1', price: '1808.080', volume: '82' }],
  asks: [{ id: '2', price: '1808.350', volume: '100' }],
};
const events = [
  '{"sequence":1,"timestamp":1675733400030,"type":"create","id":"3","side":"ask","price":"1808.340","volume":"100"}',
  '{"sequence":2,"timestamp":1675733400031,"type":"trade","makerId":"1","takerId":"4","takerSide":"sell","price":"1808.080","volume":"82"}',
  '{"sequence":3,"timestamp":1675733400031,"type":"create","id":"4","side":"ask","price":"1808.00","volume":"118"}',
  '{"sequence":4,"timestamp":1675733400090,"type":"create","id":"5","side":"bid","price":"1800","volume":"100"}',
];

function write(body: unknown = snapshot, lines: readonly string[] = events): void {
  writeFileSync(join(folder, 'snapshot.json.gz'), gzipSync(JSON.stringify(body)));
  writeFileSync(join(folder, 'events.ndjson.gz'), gzipSync(`${lines.join('\n')}\n`));
}

test('the market has the scales that the recording needs, and its own name', async () => {
  write();
  const { market, profile, recording } = await loadOrderFlow(folder);
  expect(market).toMatchObject({ pair: 'ABCZAR', base: 'ABC', counter: 'ZAR' });
  expect(market).toMatchObject({ priceScale: 2, volumeScale: 0 });
  expect(profile).toMatchObject({
    bestBid: 180_808,
    bestAsk: 180_835,
    priceStep: 1,
    orderVolume: 100,
    volumeHighest: 118,
  });
  expect(recording.resting).toEqual([
    { id: '1', side: 'BID', price: 180_808, volume: 82 },
    { id: '2', side: 'ASK', price: 180_835, volume: 100 },
  ]);
  expect(recording.rows.map(({ kind, endsMessage }) => [kind, endsMessage])).toEqual([
    ['create', true],
    ['trade', false],
    ['create', true],
    ['create', true],
  ]);
});

test('a recording with different bytes has a different digest', async () => {
  write();
  const first = (await loadOrderFlow(folder)).recording.digest;
  expect((await loadOrderFlow(folder)).recording.digest).toBe(first);
  write(snapshot, events.slice(0, 3));
  expect((await loadOrderFlow(folder)).recording.digest).not.toBe(first);
});

test('a venue whose name is not a currency code gets the default name', async () => {
  write({ ...snapshot, venue: 'the house' });
  expect((await loadOrderFlow(folder)).market.pair).toBe('FLOWZAR');
});

test('a folder without a recording, or with a broken one, is refused with the reason', async () => {
  await expect(loadOrderFlow(folder)).rejects.toThrow(ConfigError);
  await expect(loadOrderFlow(folder)).rejects.toThrow(/there is no snapshot\.json\.gz/u);
  write({ bids: [] });
  await expect(loadOrderFlow(folder)).rejects.toThrow(DecodeError);
  write({ ...snapshot, bids: [] });
  await expect(loadOrderFlow(folder)).rejects.toThrow(/orders on both sides/u);
  write(snapshot, [...events, 'nonsense']);
  await expect(loadOrderFlow(folder)).rejects.toThrow(/not JSON: nonsense/u);
});

const sets = ['sse_600519_20230207', 'cme_es_mbo_20231225']
  .map((name) => [name, outsideData(name)] as const)
  .filter((one): one is readonly [string, string] => one[1] !== undefined);

test('the settings of the bot for the recording are valid', async () => {
  write();
  const folders = [folder, ...sets.map(([, one]) => join(one, 'derived'))];
  for (const one of folders) {
    const { profile, market } = await loadOrderFlow(one);
    const file = join(folder, 'flow.yaml');
    const yaml = flowBotYaml(profile, { workspace, speed: 60, path: file, folder: one });
    expect(suggestedIn(yaml).map(problemOfCommand)).toEqual([undefined]);
    writeFileSync(file, yaml);
    const settings = loadBotSettings(file, { workspace });
    expect(settings).toMatchObject({ mode: 'demo', strategies: [{ pairs: [market.pair] }] });
  }
});

test.skipIf(sets.length === 0)(
  'an hour of a real market leaves an exchange in order',
  async () => {
    for (const [name, one] of sets) {
      const flow = await loadOrderFlow(join(one, 'derived'));
      const settings = settingsWithFlow(flow.market, 60, flowDepositsOf(flow));
      const simulator = createSimulator({
        settings,
        seed: 1,
        timeMicros: startMicros,
        keys: [],
        flow: flow.recording,
      });
      simulator.advance(startMicros + 55_000_000);
      expect([name, simulator.faults()]).toEqual([name, []]);
      const [progress] = simulator.flows();
      expect(progress?.rows).toBeGreaterThan(10_000);
      // Refills of hidden volume come back under a used id; nothing else may fail to fit.
      expect([name, progress?.misfits]).toEqual([name, 0]);
    }
  },
  60_000,
);
