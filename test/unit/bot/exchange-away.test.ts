/** What a start reports about an exchange whose answers make no sense. */
import { describe, expect, test } from 'vitest';
import { judgeKey } from '../../../src/bot/keys/key-check.ts';
import { fetchMarketStarts, fetchMarkets } from '../../../src/bot/start/market-start.ts';
import { ConfigError, OutcomeUnknownError } from '../../../src/domain/errors.ts';
import type { KeyFinding } from '../../../src/venue/key-findings.ts';
import { marketRecordOf } from '../../../src/venues/luno/api/market-record.ts';
import { permissions } from '../../../src/venues/luno/api/permissions.ts';
import {
  type PermissionName,
  startPermissions,
  useOf,
} from '../../../src/venues/luno/client/key-permissions.ts';
import { replayMarket as market } from '../../support/replay-market.ts';
import { wireReader } from '../../support/wire-reader.ts';

const finding = (permission: PermissionName): KeyFinding => ({
  ...{ permission, ...permissions[permission], use: useOf(permission) },
  ...{ state: 'unknown', answer: 'GET /x: 500' },
});
const needed = startPermissions.filter((name) => useOf(name)?.kind === 'needed');

describe('the report about the key', () => {
  const dangers = [finding('Perm_W_Send')];
  const judge = (lacking: readonly KeyFinding[]) => () =>
    judgeKey({ needed, lacking, dangers }, { mode: 'live', accepted: [] });

  test('is empty when no call is answered', () => {
    const lacking = needed.map(finding);
    expect(judge(lacking)).toThrow(OutcomeUnknownError);
    expect(judge(lacking)).toThrow(
      /^the exchange does not answer the permission checks \((?:GET \/x: 500(?:; )?){4}\)$/u,
    );
  });

  test('names needed permissions that are unknown, and no dangerous ones', () => {
    expect(judge([finding('Perm_W_Orders')])).toThrow(
      /^it is not known whether the key has Perm_W_Orders \(64\), .*\(GET \/x: 500\); try again$/u,
    );
  });

  test('calls a dangerous permission unknown, not granted, when one call is lost', () => {
    expect(judge([])).toThrow(OutcomeUnknownError);
    expect(judge([])).toThrow(/^it is not known whether the key has Perm_W_Send .* try again$/u);
    expect(judge([])).not.toThrow(/Make a key/u);
  });
});

describe('a pair that the exchange does not list', () => {
  const venueWith = (pairs: readonly string[]) =>
    wireReader({
      markets: async () => ({ markets: pairs.map((pair) => marketRecordOf({ ...market, pair })) }),
    });

  test.each([
    ['fetchMarkets', fetchMarkets],
    ['fetchMarketStarts', fetchMarketStarts],
  ])(
    'is a settings error, unless no market is listed: then it may be requested again (%s)',
    async (_name, fetch) => {
      const named = fetch(venueWith(['ETHXBT', 'XBTEUR']), ['XBTZAR']);
      await expect(named).rejects.toThrow(ConfigError);
      await expect(named).rejects.toThrow('nearest of its 2 pairs: XBTEUR, ETHXBT;');
      await expect(fetch(venueWith([]), ['XBTZAR'])).rejects.toThrow(OutcomeUnknownError);
    },
  );
});
