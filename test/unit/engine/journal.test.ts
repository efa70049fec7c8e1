/** Journal lines are read back as written, or dropped when torn. */

import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DecodeError } from '../../../src/domain/errors.ts';
import { nothingRestored } from '../../../src/domain/records.ts';
import type { EngineEvent } from '../../../src/engine/event.ts';
import {
  decodeEvent,
  decodeLine,
  digestOf,
  encodeBatch,
  encodeHeader,
  type JournalBatch,
} from '../../../src/engine/journal.ts';
import type { VenueReport } from '../../../src/venue/venue-report.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import { plainChoice, virtualSettings, virtualStart } from '../../support/virtual-bot.ts';

const marketText = JSON.stringify({
  sequence: '9007199254740993',
  trade_updates: null,
  create_update: { order_id: 'BX1', type: 'BID', price: '10.00', volume: '1.0' },
  delete_update: null,
  timestamp: 1_795_176_000_000,
});
const report: VenueReport = {
  ...{
    kind: 'filled',
    orderId: 'BX1',
    clientOrderId: 'a',
    pair: 'XBTZAR',
    atMs: 1_795_176_000_000,
  },
  filled: 12_345_678_901_234_567_890n,
  sums: { base: 1n, counter: 0n, feeBase: -1n, feeCounter: 2n ** 70n },
};

const events: readonly EngineEvent[] = [
  { kind: 'start' },
  { kind: 'tick' },
  { kind: 'market-opened', pair: 'XBTZAR' },
  {
    kind: 'market-frame',
    pair: 'XBTZAR',
    text: marketText,
    message: marketFramesOf().decode(marketText),
  },
  { kind: 'market-closed', pair: 'XBTZAR', reason: 'cut — "quoted"\n' },
  { kind: 'user-opened' },
  { kind: 'report', report },
  { kind: 'user-malformed', reason: 'no' },
  { kind: 'user-closed', reason: 'away' },
  { kind: 'reply', request: 3, reply: { kind: 'no-answer', why: 'reset' } },
  { kind: 'operator', command: 'stop', reason: 'the end' },
];

function lineOf(list: readonly EngineEvent[]): string {
  return encodeBatch({
    commit: 7,
    events: list.map((event, i) => ({ atMicros: 1_700_000_000_000_000 + i, event })),
    effects: [{ kind: 'stopped', openOrders: 0 }],
    records: [],
  }).trimEnd();
}

describe('a journal', () => {
  test('returns every kind of event as it was written', () => {
    const block = decodeLine(lineOf(events)) as JournalBatch;
    expect(block.commit).toBe(7);
    expect(block.events.map(([, event]) => decodeEvent(event, marketFramesOf()))).toEqual(events);
    expect(block.events.map(([atMicros]) => atMicros - 1_700_000_000_000_000)).toEqual(
      events.map((_, i) => i),
    );
  });

  test('stores only the text of a frame', () => {
    const line = lineOf([events[3] as EngineEvent]);
    expect(line).not.toContain('"message"');
    expect(line).toContain('9007199254740993');
  });

  test('writes the amounts of a report exactly, as objects', () => {
    const line = lineOf([{ kind: 'report', report }]);
    expect(line).toContain('"filled":{"e18":"12345678901234567890"}');
    expect(line).toContain('"feeBase":{"e18":"-1"}');
  });

  test('drops a line that is torn at any place, or changed in any character', () => {
    const line = lineOf(events.slice(0, 3));
    for (let length = 0; length < line.length; length++)
      expect(decodeLine(line.slice(0, length))).toBeUndefined();
    for (let i = 0; i < line.length; i += 3) {
      const changed = `${line.slice(0, i)}${line[i] === 'x' ? 'y' : 'x'}${line.slice(i + 1)}`;
      expect(decodeLine(changed)).toBeUndefined();
    }
    expect(decodeLine(line)).toBeDefined();
  });

  test('begins with the start of the run, and refuses another version', () => {
    const start = virtualStart({
      settings: virtualSettings({ ...plainChoice, withChaos: true }),
      restored: nothingRestored,
      startedMicros: 1_700_000_000_000_000,
      seed: 1,
    });
    const line = encodeHeader({
      protocol: 'luno',
      run: '1',
      node: 'v24',
      hashes: {},
      start,
    }).trimEnd();
    const block = decodeLine(line);
    expect(block).toMatchObject({ kind: 'header', version: 9, run: '1' });
    expect(JSON.stringify(block)).toContain('"namespace":"virtua22"');
    const unnamed = 'the version that wrote it';
    const writers = { 1: unnamed, 2: 'Millrace 0.1.0', 8: 'a development version', 10: unnamed };
    for (const [other, writer] of Object.entries(writers)) {
      const text = line.slice(9).replace('"version":9', `"version":${other}`);
      const changed = `${crc32(text).toString(16).padStart(8, '0')} ${text}`;
      expect(() => decodeLine(changed)).toThrow(DecodeError);
      expect(() => decodeLine(changed)).toThrow(`replay it with ${writer}`);
    }
  });

  test('has a different digest for different records', () => {
    const incident = { atMs: 1, code: 'A', text: '' };
    expect(digestOf([{ kind: 'incident', incident }])).not.toBe(
      digestOf([{ kind: 'incident', incident: { ...incident, atMs: 2 } }]),
    );
  });
});
