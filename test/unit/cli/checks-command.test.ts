/** `millrace checks`: every control in order, and the hashes that live trading requires. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runChecks } from '../../../src/cli/commands/checks-command.ts';
import { Output } from '../../../src/terminal/output.ts';
import { workspace } from '../../support/package-root.ts';
import { printed } from '../../support/printed.ts';
import { demoBotFile, edited } from '../settings/bot-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-checks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function checksOf(text: string) {
  const config = join(folder, 'bot.yaml');
  writeFileSync(config, text);
  const stdout = new PassThrough();
  const output = new Output({ workspace, isJson: true, stdout, stderr: new PassThrough() });
  expect(await runChecks({ workspace, config, output })).toBe(0);
  return JSON.parse(printed(stdout));
}

const accounts = 'accounts: { XBT: "11", ZAR: "13" }\n';

test('lists 26 controls in order, each with its codes, limits and source', async () => {
  const { checks } = await checksOf(demoBotFile);
  expect(checks.map(({ position }: { position: number }) => position)).toEqual(
    Array.from({ length: 26 }, (_, index) => index + 1),
  );
  for (const { code, limits, source } of checks) {
    expect(code.length).toBeGreaterThan(0);
    expect(limits.length).toBeGreaterThan(0);
    expect(source).not.toBe('');
  }
});

test('names the parameters that may be set while the bot runs, with their ranges', async () => {
  const { settable } = await checksOf(demoBotFile);
  expect(settable).toEqual([
    { strategy: 'mm-xbt', parameter: 'halfSpread', range: 'from 0.1bps to 99.99%' },
    { strategy: 'mm-xbt', parameter: 'tolerance', range: 'from 0bps to 99.99%' },
  ]);
});

test('prints the hashes for a live configuration that lacks them', async () => {
  const text = edited('mode: demo ', `${accounts}mode: live `, demoBotFile);
  const { approve } = await checksOf(text);
  expect(approve.settings).toMatch(/^[0-9a-f]{16}$/u);
  const hashes = JSON.stringify(Object.values(approve.strategies));
  const approved = `approved: { settings: ["${approve.settings}"], strategies: ${hashes} }\n`;
  const live = 'live: { keyFingerprint: "0123456789abcdef" }\n';
  const complete = edited('mode: live ', `${approved}${live}mode: live `, text);
  expect((await checksOf(complete)).approve).toEqual(approve);
});
