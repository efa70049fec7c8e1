/** `millrace backtest` where something goes wrong: what its report, its text and its code say. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktestVerb } from '../../src/app/backtest-verb.ts';
import { Output } from '../../src/app/output.ts';
import { Recording } from '../../src/recording/recording.ts';

const first = join(import.meta.dirname, '../../backtests/first');
const names = ['recording.mrec', 'scenario.yaml'] as const;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-faults-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies the first backtest, which expects no hash then, with replacements in its scenario. */
function firstWith(name: string, replacements: readonly (readonly [RegExp, string])[]): string {
  const place = join(folder, name);
  for (const file of names) cpSync(join(first, file), join(place, file));
  const path = join(place, 'scenario.yaml');
  let text = readFileSync(path, 'utf8');
  for (const [from, to] of [[/^expect: .*$/mu, ''] as const, ...replacements]) {
    expect(text).toMatch(from);
    text = text.replace(from, to);
  }
  writeFileSync(path, text);
  return place;
}

async function backtest(scenario: string, strategiesFolder?: string) {
  const told = async (isJson: boolean) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await runBacktestVerb({
      scenario,
      graceMs: 60_000,
      environment: {},
      output: new Output({ isJson, stdout, stderr }),
      ...(strategiesFolder === undefined ? {} : { strategiesFolder }),
    });
    return { code, out: String(stdout.read() ?? '') };
  };
  const { code, out } = await told(true);
  const value = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  const page = readFileSync(value.report, 'utf8');
  return { code, value, page, text: (await told(false)).out };
}

test('a damaged recording is the first that page and metrics say, with where it ended', async () => {
  const scenario = firstWith('damaged', []);
  const path = join(scenario, 'recording.mrec');
  const recording = new Recording(path);
  const [, entry] = recording.index.blocks;
  recording.close();
  if (entry === undefined) throw new RangeError('there must be two blocks');
  const bytes = readFileSync(path);
  bytes.writeUInt8((bytes[entry.offset + 40] ?? 0) ^ 1, entry.offset + 40);
  writeFileSync(path, bytes);
  const { code, value, page, text } = await backtest(scenario);
  expect(code).toBe(1);
  expect(value.partial).toContain('the checksum');
  const [caution] = value.metrics.cautions;
  expect(caution).toMatch(/^partial, played up to 2026-11-20T12:\d\d:\d\d\.\d{3}Z: /u);
  expect(caution).toContain(value.partial);
  expect(text).toContain(`caution           ${caution}`);
  expect(page.indexOf('<li>')).toBe(page.indexOf(`<li>${caution}`));
  expect(page.split(caution).length).toBe(2);
}, 60_000);
