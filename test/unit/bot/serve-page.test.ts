/** What the start says of a bot's page. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { servePage } from '../../../src/bot/serve-page.ts';
import type { BotSettings } from '../../../src/domain/bot-settings.ts';
import { createClock } from '../../../src/runtime/clock.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import type { Output } from '../../../src/terminal/output.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'serve-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test.each([
  ['a terminal has the address with the token', {}, true],
  ['the journal of a service has it without', { JOURNAL_STREAM: '8:12' }, false],
])('%s', { timeout: 30_000 }, async (_, environment, hasToken) => {
  const lines: string[] = [];
  const settings = { bot: 'desk', mode: 'demo', store: join(home, 'desk.sqlite') };
  const page = await servePage({
    settings: settings as BotSettings,
    dashboard: { port: undefined, listen: '127.0.0.1', hosts: [] },
    ...{ home, clock: createClock(), timers: createTimers() },
    environment: { XDG_STATE_HOME: home, ...environment },
    output: { line: (text: string) => lines.push(text) } as unknown as Output,
  });
  await expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toContain('whoever has');
  await page.close();
  const path = join(home, 'page', 'desk.view-token');
  const token = readFileSync(path, 'utf8').trim();
  expect(lines.join()).toMatch(/page http:\/\/127\.0\.0\.1:\d+\//u);
  expect(lines.join().includes(token)).toBe(hasToken);
  expect(lines.join().includes(path)).toBe(!hasToken);
});
