/** Scopes that are halted or may only reduce positions, and how they are described. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Bot } from '../../../src/bot/bot.ts';
import { haltedScopeLine, haltedScopes } from '../../../src/bot/halted-scopes.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';

const atMs = Date.UTC(2026, 10, 20, 12);
const bot = { atMs, scope: 'bot', state: 'HALTED', reason: 'the news' } as const;
const strategy = { atMs, scope: 'strategy:mm', state: 'REDUCING', reason: 'less' } as const;

test('returns the scopes that are not ACTIVE, except those that the bot no longer has', () => {
  const settings = { strategies: [{ id: 'mm', pairs: ['XBTZAR'] }] } as unknown as Bot['settings'];
  const active = { atMs, scope: 'pair:XBTZAR', state: 'ACTIVE', reason: 'calm' } as const;
  const gone = { ...strategy, scope: 'strategy:gone' };
  const reports = { tradingStates: () => [bot, active, strategy, gone] };
  expect(haltedScopes(settings, reports)).toEqual([bot, strategy]);
});

test('describes since when and why a scope is halted, with the command that resumes it', () => {
  const usual = {
    config: join(packageRoot, 'config/demo.yaml'),
    home: join(packageRoot, '.millrace'),
    workspace,
  };
  expect(haltedScopeLine(bot, usual)).toBe(
    'bot has been HALTED since 2026-11-20T12:00:00.000Z: the news; to resume it: ' +
      `npm run --silent millrace -- resume config/demo.yaml --reason 'resumed by hand' --home ${usual.home}`,
  );
  expect(haltedScopeLine(strategy, { config: '/etc/b.yaml', home: '/h', workspace })).toContain(
    "resume /etc/b.yaml --strategy mm --reason 'resumed by hand' --home /h",
  );
});
