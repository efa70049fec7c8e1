/** The lists of values equal those of the documents, written out here once more. */
import { expect, test } from 'vitest';
import {
  accountTypes,
  creatableAccountTypes,
} from '../../../../../src/venues/luno/api/account-types.ts';
import { countryCodes } from '../../../../../src/venues/luno/api/countries.ts';
import {
  currencies,
  isCryptoCurrency,
  withdrawalMethodCodes,
} from '../../../../../src/venues/luno/api/currencies.ts';
import {
  networkOf,
  networksOf,
} from '../../../../../src/venues/luno/simulator/money/money-terms.ts';

const fiat = 'AUD EUR GBP IDR MYR NGN UGX ZAR';
const crypto =
  'AAVE ADA ALGO ATOM AVAX BCH CRV DOT DOGE ETH FTM GRT LINK LTC MKR MATIC NEAR SAND SNX SOL TRX ' +
  'UNI USDC USDT XBT XLM XRP';

test('currencies, and which of them have addresses', () => {
  expect(currencies.join(' ')).toBe(`${fiat} ${crypto} ZARU`);
  expect(currencies.filter(isCryptoCurrency).join(' ')).toBe(crypto);
});

test('withdrawal methods and account types', () => {
  expect(withdrawalMethodCodes.join(' ')).toBe(
    'ZAR_EFT NAD_EFT KES_EFT KES_MPESA MYR_IBG IDR_LLG NGN_EFT ZMW_EFT SGD_GIRO SGD_WIRE EUR_SEPA ' +
      'GBP UGX_EFT',
  );
  expect(creatableAccountTypes.join(' ')).toBe('TRANSACTIONAL SPOT');
  expect(accountTypes.join(' ')).toBe(
    'TRANSACTIONAL SPOT SPOT_MARGIN SAVINGS BUNDLE STAKING EARN PREDICTION EXTERNAL_TOKENISING',
  );
});

test('country codes have two letters, are sorted and unique', () => {
  expect(countryCodes).toHaveLength(249);
  expect([...new Set(countryCodes)].sort()).toEqual(countryCodes);
  for (const code of countryCodes) expect(code).toMatch(/^[A-Z]{2}$/u);
});

test('every currency with addresses has a network, and 0 means the default network', () => {
  for (const currency of crypto.split(' ')) {
    const [first] = networksOf(currency);
    expect(first, currency).toBeDefined();
    expect(networkOf(currency, undefined)).toBe(first);
    expect(networkOf(currency, '0')).toBe(first);
    expect(networkOf(currency, '99')).toBeUndefined();
  }
});
