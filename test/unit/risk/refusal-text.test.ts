/** The sentence of every refusal that the tables of the checks contain. */
import { describe, expect, test } from 'vitest';
import { refusalText } from '../../../src/domain/refusal-text.ts';
import type { Refusal } from '../../../src/risk/check.ts';
import { settingsKeysOf } from '../../../src/settings/settings-keys.ts';
import { accountCases } from './account-cases.ts';
import { orderCases } from './order-cases.ts';
import { rateCases } from './rate-cases.ts';
import { stateCases } from './state-cases.ts';

const scope = { strategyId: 'mm', pair: 'XBTZAR' };
const keys = new Set(settingsKeysOf('bot').map(({ path }) => path));

function refusalOf(line: string): Refusal {
  const [code = '', observed = '', limit = '', unit = ''] = line.split('|');
  return { code, observed, limit, unit };
}

const lines = [...stateCases, ...orderCases, ...accountCases, ...rateCases].flatMap(
  ({ expected }) => expected,
);

/** The settings keys that a sentence names, with the placeholders of the declared keys. */
function keysIn(text: string): readonly string[] {
  const names = text.match(/\b(?:limits|strategies|accounts|approved|live)\.[\w.]+\w/gu) ?? [];
  return names.map((name) =>
    name
      .replace(/\bXBTZAR\b/u, '<pair>')
      .replace(/\.(?:ZAR|XBT)\b/u, '.<currency>')
      .replace('strategies.mm', 'strategies.<id>'),
  );
}

const withoutKey = [
  ...['TRADING_STATE', 'NOT_RECONCILED', 'STORE_NOT_DURABLE', 'LOCK_NOT_HELD', 'FORM'],
  ...['PRICE_RANGE', 'VOLUME_RANGE', 'STOP_PRICE', 'MARKET_STATUS', 'BOOK_UNUSABLE', 'SELF_TRADE'],
  ...['REDUCE_ONLY', 'ENVIRONMENT', 'NOT_PERMITTED', 'MARKET_PRICE'],
  // For an ask, the limit is the balance alone.
  'FUNDS',
];

describe.each(lines)('%s', (line) => {
  const refusal = refusalOf(line);
  const text = refusalText(refusal, scope);

  test('is a sentence with the code, without a gap', () => {
    expect(text).toMatch(new RegExp(`^${refusal.code}: .+ .+$`, 'u'));
    expect(text).not.toMatch(/missing|undefined| {2}| ,|\(\)/u);
  });

  test('names the value and the limit', () => {
    const isFlag = ['no', 'absent'].includes(refusal.observed) || refusal.unit === 'destination';
    if (isFlag) return;
    const isOff = refusal.observed === 'missing';
    const isDuration = refusal.code === 'COOL_DOWN';
    expect(text).toContain(isOff ? 'not known' : isDuration ? '1s' : refusal.observed);
    if (refusal.limit !== 'missing' && !isDuration) expect(text).toContain(refusal.limit);
  });

  test('names only settings keys that exist, or says that the limit is fixed', () => {
    for (const key of keysIn(text)) expect(keys).toContain(key);
    if (!withoutKey.includes(refusal.code) && !text.includes('(fixed)'))
      expect(keysIn(text)).not.toEqual([]);
  });
});

test.each([
  [
    'FUNDS|5039.6475|missing|ZAR',
    'FUNDS: the order needs 5039.6475 ZAR with a possible fee (limits.account.feeBuffer), but the available balance is not known',
  ],
  [
    'POSITION|0.055|0.05|XBT',
    'POSITION: the worst-case position with this order is 0.055 XBT, but the limit is 0.05 XBT (limits.pairs.XBTZAR.positionBaseMax)',
  ],
  [
    'OPEN_NOTIONAL|10000|missing|ZAR',
    'OPEN_NOTIONAL: the value of all open orders including this one is 10000 ZAR, but no limit is set (limits.account.openNotionalMax.ZAR)',
  ],
  [
    'ENVIRONMENT|paper to simulator|paper to replay|destination',
    'ENVIRONMENT: mode paper would send orders to the simulator, but may send them only to the replay exchange (venue)',
  ],
  [
    'EXPIRED|2026-11-20T12:00:00.000Z|2026-11-20T12:00:01.000Z|time',
    'EXPIRED: the order expires at 2026-11-20T12:00:00.000Z, but it is 2026-11-20T12:00:01.000Z already',
  ],
  ['KEY_USED|k1|a new|key', 'KEY_USED: the key k1 was used before; an order needs a new key'],
  ['OLD_CODE|2|1|orders', 'OLD_CODE: the observed value is 2 orders, but the limit is 1 orders'],
])('%s reads as a sentence', (line, text) => {
  expect(refusalText(refusalOf(line), scope)).toBe(text);
});
