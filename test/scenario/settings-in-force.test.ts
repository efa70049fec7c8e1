/**
 * Which settings a bot obeys: none that are wrong, none that are not for it, and while it runs none
 * but those that it started with.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkKeyOfMode, checkMode } from '../../src/cli/commands/run-command.ts';
import { ConfigError, SafetyRefusedError } from '../../src/domain/errors.ts';
import { endAll, millrace, newHome } from '../support/process-bot.ts';

afterAll(endAll);

const demo = readFileSync(new URL('../../config/demo.yaml', import.meta.url), 'utf8');

function edited(changes: readonly (readonly [from: string, to: string])[], text = demo): string {
  let result = text;
  for (const [from, to] of changes) {
    if (result.split(from).length !== 2) throw new Error(`"${from}" must occur once`);
    result = result.replace(from, () => to);
  }
  return result;
}

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split('\n').length;
}

test('G7: a file with a key that is unknown, doubled, a number, missing or without its unit starts nothing, and each is told with its line', async () => {
  const home = newHome();
  const state = join(home, 'state');
  const file = join(home, 'wrong.yaml');
  const text = edited([
    ['      collar: "2%" ', '      collr: "2%" '],
    ['venue: simulator ', 'venue: simulator\nvenue: simulator '],
    ['orderBaseMax: "0.02"', 'orderBaseMax: 0.02'],
    ['    ordersOpenMax: 20 ', '    # '],
    ['bookAgeMax: "5s"', 'bookAgeMax: "5"'],
  ]);
  writeFileSync(file, text);
  const told = [
    [lineOf(text, 'collr'), 'collr: is unknown'],
    [lineOf(text, 'venue: simulator') + 1, 'venue: is given twice'],
    [lineOf(text, 'orderBaseMax: 0.02'), 'orderBaseMax: was 0.02'],
    [lineOf(text, '  account:'), 'limits.account: lacks ordersOpenMax'],
    [lineOf(text, 'bookAgeMax'), 'bookAgeMax: was "5"'],
  ] as const;
  for (const verb of [
    ['start', file, '--home', state],
    ['run', file, '--home', state],
    ['config', 'check', file],
  ]) {
    const one = millrace(verb);
    expect((await one.ended).code).toBe(2);
    const lines = one.text.split('\n').filter((line) => line.includes('wrong.yaml:'));
    for (const [line, says] of told)
      expect(
        lines.find((one) => one.includes(`wrong.yaml:${line}:`) && one.includes(says)),
      ).toBeDefined();
  }
  expect(existsSync(state)).toBe(false);
}, 60_000);

describe('G8: a bot is refused', () => {
  const asked = (live: boolean) => ({ config: 'desk.yaml', live });
  const bot = (mode: 'demo' | 'paper' | 'live') => ({ mode, venue: 'somewhere' });

  test.each([
    ['a real venue in demo', 'demo', 'exchange', false, ConfigError],
    ['a real venue in demo, with the flag', 'demo', 'exchange', true, ConfigError],
    ['the simulator in live', 'live', 'simulator', true, ConfigError],
    ['live without the flag', 'live', 'exchange', false, SafetyRefusedError],
    ['the flag without live', 'demo', 'simulator', true, SafetyRefusedError],
  ] as const)('%s', (_, mode, ordersGoTo, live, kind) => {
    expect(() => checkMode(asked(live), bot(mode), ordersGoTo)).toThrow(kind);
  });

  test('nothing else: demo on this machine, live elsewhere with the flag', () => {
    checkMode(asked(false), bot('demo'), 'simulator');
    checkMode(asked(true), bot('live'), 'exchange');
  });

  test('the live key anywhere but in live, and in live any other key', () => {
    const named = { liveKeyFingerprint: '0123456789abcdef' };
    const config = { config: 'desk.yaml' };
    const check = (mode: 'demo' | 'live', fingerprint: string) =>
      checkKeyOfMode(config, { mode, ...named }, fingerprint);
    expect(() => check('demo', '0123456789abcdef')).toThrow(SafetyRefusedError);
    expect(() => check('live', 'fedcba9876543210')).toThrow(SafetyRefusedError);
    check('live', '0123456789abcdef');
    check('demo', 'fedcba9876543210');
  });
});

test('G9: G11: no limit moves while a bot runs: not by its file, its command line, its environment or a resume', async () => {
  const home = newHome();
  const file = join(home, 'tight.yaml');
  const tight = edited([
    ['ordersOpenMax: 20 ', 'ordersOpenMax: 1\n    #'],
    ['egress: egress.yaml', '# '],
  ]);
  writeFileSync(file, tight);

  // No verb takes a limit, however it is written.
  mkdirSync(join(home, 'none'));
  for (const flag of ['--orders-open-max', '--ordersOpenMax', '--limits', '--set', '--force']) {
    const one = millrace(['start', file, '--home', join(home, 'none'), flag, '10']);
    expect((await one.ended).code).toBe(2);
    expect(one.text).toContain(`unknown option '${flag}'`);
  }

  const bot = millrace(['start', file, '--home', home, '--resume', 'I know better'], {
    env: { ORDERS_OPEN_MAX: '10', MILLRACE_LIMITS: '{}', MILLRACE_ORDERS_OPEN_MAX: '10' },
  });
  await bot.sees(/ is open \(/u);
  await bot.sees(/refused: ORDERS_OPEN/u);
  writeFileSync(file, edited([['ordersOpenMax: 1\n', 'ordersOpenMax: 20\n']], tight));
  await bot.sees(
    /tight\.yaml was changed \(in force: [0-9a-f]{12}, on disk: [0-9a-f]{12}\); this has no/u,
  );
  // It is refused for the old limit at its next quotes, too.
  const refusals = bot.text.match(/refused: ORDERS_OPEN/gu)?.length ?? 0;
  await bot.sees(/refused: ORDERS_OPEN/u, refusals + 1);
  bot.signal('SIGINT');
  expect((await bot.ended).code).toBe(0);
  expect(mostOpenAtOnce(bot.text)).toBe(1);
}, 90_000);

/** Returns how many orders stood at once at most, by what the bot printed. */
function mostOpenAtOnce(text: string): number {
  const open = new Set<string>();
  let most = 0;
  for (const [, state, id] of text.matchAll(/ is (open|filled|cancelled) \(order (\d+)\)/gu)) {
    if (state === 'open') open.add(id ?? '');
    else open.delete(id ?? '');
    most = Math.max(most, open.size);
  }
  return most;
}

test('a start warns of settings that cannot be meant, and of a budget that the account lacks', async () => {
  const home = newHome();
  const file = join(home, 'rich.yaml');
  writeFileSync(join(home, 'egress.yaml'), readFileSync('config/egress.yaml'));
  writeFileSync(
    file,
    edited([
      ['budget: { ZAR: "250000"', 'budget: { ZAR: "99000000"'],
      ['tolerance: "2bps"', 'tolerance: "30bps"'],
    ]),
  );
  const bot = millrace(['start', file, '--home', home, '--json']);
  await bot.sees(
    /^! \S+rich\.yaml:\d+:\d+: strategies\.mm-xbt\.parameters\.tolerance: warning: was 0\.3%/mu,
  );
  await bot.sees(
    /^! strategies\.mm-xbt\.budget\.ZAR: was "99000000" ZAR, but the account has \d+/mu,
  );
  bot.signal('SIGTERM');
  expect((await bot.ended).code, bot.text).toBe(0);
  expect(bot.text.match(/but the account has/gu)).toHaveLength(1);
}, 60_000);
