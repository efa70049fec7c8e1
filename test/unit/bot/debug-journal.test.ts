/** Stepping through the journal of a bot shows what it did, and says where code has changed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { DebugSession } from '../../../src/bot/debug/debug-session.ts';
import { debuggedJournal } from '../../../src/bot/debug/debugged-run.ts';
import type { JournalBatch } from '../../../src/engine/journal.ts';
import { decodeLine } from '../../../src/engine/journal.ts';
import { writePlugin } from '../../support/planted-plugin.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';

const home = mkdtempSync(join(tmpdir(), 'millrace-debug-journal-'));
const shipped = join(import.meta.dirname, '../../../strategies');
afterAll(() => rmSync(home, { recursive: true, force: true }));

const set = {
  kind: 'operator',
  command: 'set',
  scope: 'strategy:mm',
  reason: 'calm',
  values: { halfSpread: '40bps' },
} as const;

const path = join(home, 'a.jsonl');
const lines = ((): readonly string[] => {
  const world = new VirtualWorld({
    ...{ seed: 3, level: 0, stormSeconds: 5, withChaos: false, keepJournals: true },
    script: (one) => one.time.after(4_000, () => one.tell(set)),
  });
  return (world.run().journals[0] ?? []).map((line) => line.trimEnd());
})();
writeFileSync(path, `${lines.join('\n')}\n`);

/** The journal as a bot with other code has it. */
const other = join(home, 'b.jsonl');
const [head = ''] = lines;
const text = head.slice(9).replace('"hashes":{}', '"hashes":{"strategy mm":"0"}');
const sealed = `${crc32(text).toString(16).padStart(8, '0')} ${text}`;
writeFileSync(other, `${[sealed, ...lines.slice(1)].join('\n')}\n`);

const batches = lines.slice(1).map((line) => decodeLine(line) as JournalBatch);
const opened = async (file: string, folder: string) =>
  DebugSession.open({ run: await debuggedJournal(file, folder) });

test('its events are those of the journal, and what left is what the bot sent', async () => {
  const session = await opened(path, shipped);
  const events = batches.flatMap((batch) => batch.events);
  const { facts } = session;
  expect(facts).toMatchObject({ source: 'journal', events: events.length });
  const all = await session.factsBetween(1, facts.events);
  expect(all.map(({ atMs }) => Math.round(atMs * 1000))).toEqual(events.map(([micros]) => micros));
  const left = all.flatMap(({ happenings }) =>
    happenings.flatMap((one) => (one.kind === 'left' ? [one.operation] : [])),
  );
  const sent = batches.flatMap(({ effects }) =>
    effects.flatMap((one) => (one.kind === 'request' ? [one.call.kind] : [])),
  );
  expect(left.filter((operation) => operation !== 'reconnect')).toEqual(sent);
  expect(sent.length).toBeGreaterThan(20);
  expect(all.every(({ placesIn }) => placesIn === 'our book')).toBe(true);
  expect(facts.counts.decision).toBeGreaterThan(0);
  session.close();
}, 60_000);

test('a parameter that was set is an event, and what the strategy was given', async () => {
  const session = await opened(path, shipped);
  const all = await session.factsBetween(1, session.facts.events);
  const found = all.find(({ text: what }) => what.startsWith('the operator: set'));
  expect(found?.text).toBe('the operator: set strategy:mm halfSpread=40bps, calm');
  expect(found?.happenings).toContainEqual({
    ...{ kind: 'given', strategyId: 'mm', text: 'new parameters' },
  });
  session.close();
}, 60_000);

test('of a strategy that has changed it says so, and from where on the run is another', async () => {
  const idle = "return rx.concat(rx.of({ kind: 'idle', pair, reason: 'now' }), rx.NEVER);";
  const folder = writePlugin(home, 'simple-mm', idle, '', 'z.any()');
  const session = await opened(other, folder);
  const [first = '', second = ''] = session.facts.notes;
  expect(first).toMatch(/^changed since the run: strategy mm; /u);
  const number = Number(/^from event (\d+) on, this is not what the bot did/u.exec(second)?.[1]);
  const around = await session.factsBetween(number, number + 2);
  expect(around.map(({ happenings }) => JSON.stringify(happenings)).join()).toContain('idle');
  expect((await session.factsOf(1)).text).toBe('the engine starts');
  session.close();
}, 60_000);
