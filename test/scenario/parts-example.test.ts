/** The maker with an exit of `docs/strategies.md`: its text, a script, and its check. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkStrategy } from '../../src/cli/commands/check-strategy-command.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { fakeContext } from '../../src/testing.ts';
import makerExit from '../fixtures/strategies/maker-exit/strategy.ts';

const root = join(import.meta.dirname, '../..');
const strategies = join(root, 'test/fixtures/strategies');
const scenario = join(root, 'backtests/first/scenario.yaml');

test('the page has its text', () => {
  const page = readFileSync(join(root, 'docs/strategies.md'), 'utf8');
  const text = readFileSync(join(strategies, 'maker-exit/strategy.ts'), 'utf8');
  expect(page).toContain(text.replace('../../../../src/index.ts', 'millrace'));
});

test('it bids, follows the price, and sells at the stop', () => {
  const { lines, slots, orders, positions } = fakeContext(makerExit, {
    parameters: { size: '0.01', away: '10bps', stop: '1%' },
    top: [
      'abcd',
      {
        a: { bid: '9999', ask: '10001' },
        b: { bid: '10099', ask: '10101' },
        c: { bid: '10019', ask: '10021' },
        d: { bid: '9949', ask: '9951' },
      },
    ],
    fills: ['f', { f: { level: 'maker/bid' } }],
    available: { ZAR: '1000000', XBT: '0' },
    for: '10s',
  });
  expect(lines.join('\n')).toMatch(
    /place XBTZAR exit\/stop-\d+: ASK 0\.01 at 9949 IOC reduce-only/u,
  );
  expect(lines.some((line) => line.includes('remember exit/highest 10100'))).toBe(true);
  expect(slots).toEqual({ 'exit/highest': 10_100 });
  // The maker's bid went when something was held.
  expect(orders['XBTZAR']?.map(({ key }) => key)).toEqual([expect.stringMatching(/^exit\/stop-/u)]);
  expect(positions['XBTZAR']?.base).toBe(10_000);
});

test('nothing in it looks ahead or differs from run to run', async () => {
  const { source: _, ...rest } = loadScenario(scenario);
  const [own] = rest.strategies;
  if (own === undefined) throw new Error('the first scenario has a strategy');
  const allow = { ...own.allow, timeInForce: ['GTC', 'IOC'], postOnly: 'allowed' } as const;
  const { check, imports, ambient } = await checkStrategy({
    strategiesFolder: strategies,
    scenario: {
      ...rest,
      toMs: (rest.fromMs ?? 0) + 300_000,
      strategies: [{ ...own, plugin: 'maker-exit', parameters: {}, allow }],
    },
    dataFolder: '',
    onRun: () => {},
  });
  expect([check.found, imports, ambient]).toEqual([[], [], []]);
  expect(check.orders).toBeGreaterThan(5);
});
