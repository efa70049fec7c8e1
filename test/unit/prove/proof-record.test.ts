/** What provers say when they compared nothing, and how their figures get into the documents. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readArguments } from '../../prove/arguments.ts';
import { withNothingCompared } from '../../prove/nothing-compared.ts';
import { filled } from '../../prove/record/promises-page.ts';
import { proofRuns, stateOf } from '../../prove/record/proof-runs.ts';
import type { Proof } from '../../prove/record/proofs-file.ts';

const root = join(import.meta.dirname, '../../..');

describe('a proof that compared nothing does not pass', () => {
  test('without its data: it says what is missing and how to get it, and ends with 3', () => {
    const script = join(root, 'test/prove/main.ts');
    const env = { ...process.env, MILLRACE_DATA: '/nonexistent' };
    const { status, stdout } = spawnSync(process.execPath, [script, 'fidelity', '--json'], {
      ...{ env, encoding: 'utf8' },
    });
    expect(status).toBe(3);
    const { missing, violations } = JSON.parse(stdout);
    expect(violations).toBe(0);
    expect(missing).toEqual([
      expect.stringMatching(/^sse_600519_20230207 is not there: put it into .*MILLRACE_DATA/u),
      expect.stringMatching(/^cme_es_mbo_20231225 is not there: .* docs\/promises\.md/u),
    ]);
  });

  test('when a figure that counts what was compared is 0 or not there', () => {
    const result = { figures: { orders: 5, fills: 0, rows: [] }, violations: 0, notes: [] };
    const judged = (...compared: readonly string[]): number =>
      withNothingCompared({ compared }, result).violations;
    expect(judged('orders')).toBe(0);
    expect(judged('orders', 'fills')).toBe(1);
    expect(judged('rows', 'other')).toBe(2);
  });

  test('of two states, failed is the worse; a run that must find something fails without', () => {
    expect(stateOf('memory', { violations: 0, missing: [] })).toBe('ok');
    expect(stateOf('memory', { violations: 0, missing: ['data'] })).toBe('incomplete');
    expect(stateOf('memory', { violations: 1, missing: ['data'] })).toBe('failed');
    expect(stateOf('memory', { violations: null, missing: [] })).toBe('failed');
    const broken = 'orders --seeds 400 --break ttl,uniqueness';
    expect(stateOf(broken, { violations: 2, missing: [] })).toBe('ok');
    expect(stateOf(broken, { violations: 0, missing: [] })).toBe('failed');
  });
});

describe('a run whose figures the documents state', () => {
  test.each(proofRuns)('%s can be recorded, whatever the order of its words', (words) => {
    const [name = '', ...options] = words.split(' ');
    expect(readArguments(['--record', ...options, name])).toMatchObject({ name, words });
  });

  test('is no other one', () => {
    expect(() => readArguments(['memory', '--messages', '20000', '--record'])).toThrow(
      '--record is for the runs',
    );
    expect(() => readArguments(['all', '--json'])).toThrow('"all" takes no options');
    expect(() => readArguments([])).toThrow('give one name');
  });
});

describe('a template', () => {
  const proof: Proof = {
    ...{ state: 'ok', violations: 0, missing: [], notes: [] },
    figures: { events: 50_000_000, slope: 5_210, part: { right: 0.9996 }, none: null },
    ...{ commit: '12345678', isClean: true, date: '2026-01-02', seconds: 3 },
  };
  const cell = (text: string, memory: Proof | undefined): string =>
    filled(`| a | ${text} |`, memory === undefined ? {} : { memory });

  test.each([
    ['{{memory: events}} events', '50,000,000 events'],
    ['{{memory: slope, kB}}', '5.2 kB'],
    ['{{memory: part.right, %}} of all', '99.9 % of all'],
    ['{{memory: none}}', 'not measured'],
    ['missed: {{memory: missed}}', 'missed: none'],
    ['found {{memory: violations}}', 'found 0'],
  ])('writes %s', (text, expected) => {
    expect(cell(text, proof)).toBe(`| a | ${expected} |`);
  });

  test('says which run was not recorded, failed, or compared only a part', () => {
    const text = '{{memory: events}} events';
    expect(cell(text, undefined)).toBe('| a | not recorded yet: `memory` |');
    expect(cell(text, { ...proof, state: 'failed', violations: 2 })).toBe(
      '| a | **failed**: `memory`; 50,000,000 events |',
    );
    expect(cell(text, { ...proof, state: 'failed', violations: null, figures: {} })).toBe(
      '| a | **broken off**: `memory` |',
    );
    expect(cell(text, { ...proof, state: 'incomplete' })).toBe(
      '| a | **only in part**: `memory`; 50,000,000 events |',
    );
  });

  test('must name a run and a figure that exist', () => {
    expect(() => cell('{{memory: event}}', proof)).toThrow('has no figure "event"');
    expect(() => cell('{{memories: event}}', proof)).toThrow('names the run "memories"');
    expect(() => cell('{{memory: events, GB}}', proof)).toThrow('no unit "GB"');
  });
});
