/** Parameters set while a bot quotes: what it does from then on, after a kill, and in a replay. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { replayJournal } from '../../src/bot/journal/replay-journal.ts';
import { VirtualWorld } from '../support/virtual-world.ts';

const strategies = join(import.meta.dirname, '../../strategies');

function withOtherValue(line: string): string {
  const text = line.slice(9).trimEnd().replace('{"halfSpread":"40bps"}', '{"halfSpread":"41bps"}');
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
}

test('quotes follow at once, a killed bot starts with its file, and the journal replays', async () => {
  const notices: string[] = [];
  const answers: string[] = [];
  const world = new VirtualWorld({
    ...{ seed: 5, level: 0, withChaos: false, keepJournals: true },
    ...{ halfSpread: '4bps', refresh: '5s', onMove: 'overlap' },
    onNotice: (line) => notices.push(line),
    onOperated: ({ isRefused = false, text }) => answers.push(`${isRefused} ${text}`),
  });
  let ticket = 0;
  const set = (values: Record<string, string>) =>
    world.tell({
      ...{ kind: 'operator', command: 'set', scope: 'strategy:mm', values, reason: 'calm' },
      ...{ by: 'user ana', ticket: ++ticket },
    });
  /** How far the newest order of each side was from the mid of both, in basis points. */
  const distance = (): number => {
    const live = [...(world.engine?.orders.tracker.live ?? [])].filter(
      ({ cancelRequestedMs }) => cancelRequestedMs === undefined,
    );
    const priceOf = (side: string) =>
      live.findLast(({ terms }) => terms.side === side)?.terms.price;
    const [bid, ask] = [priceOf('BID') ?? Number.NaN, priceOf('ASK') ?? Number.NaN];
    return Math.round(((ask - bid) / (ask + bid)) * 10_000);
  };
  // A side that has just moved, and the tolerance, make a difference.
  const expectQuotesAt = (bps: number) => expect(Math.abs(distance() - bps)).toBeLessThan(8);
  world.begin();
  world.pass(12);
  expectQuotesAt(4);
  set({ halfSpread: '40bps' });
  world.pass(1);
  expectQuotesAt(40);
  set({ halfSpread: '50bps', size: '0.001' });
  world.pass(1);
  expectQuotesAt(40);
  world.kill();
  world.pass(60);
  expectQuotesAt(4);
  world.stop();
  expect(world.witness.violations).toEqual([]);
  expect(answers).toEqual([
    'false mm: halfSpread is 40bps, was 4bps; to keep it beyond the next start, write it into the settings file',
    expect.stringMatching(/^true size of mm cannot change while the bot runs/u),
  ]);
  expect(notices.filter((line) => line.includes('halfSpread'))).toEqual([
    'info mm: halfSpread is 40bps, was 4bps (calm, by user ana)',
    expect.stringMatching(
      /^warn mm: halfSpread is 4bps as in the settings file; the 40bps .* by user ana /u,
    ),
  ]);

  const home = mkdtempSync(join(tmpdir(), 'millrace-set-'));
  const [first = []] = world.journals;
  expect(first.join('')).toContain('"command":"set"');
  writeFileSync(join(home, 'a.jsonl'), first.join(''));
  expect(await replayJournal(join(home, 'a.jsonl'), strategies)).toMatchObject({
    different: 0,
    droppedLines: 0,
  });
  // With another value in the event, the replay differs.
  writeFileSync(join(home, 'b.jsonl'), first.map(withOtherValue).join(''));
  expect((await replayJournal(join(home, 'b.jsonl'), strategies)).different).toBeGreaterThan(0);
  rmSync(home, { recursive: true });
}, 60_000);
