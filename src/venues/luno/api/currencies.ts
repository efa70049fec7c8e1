/** The currencies, pairs and withdrawal methods in the documents. */

const fiatCurrencies = ['AUD', 'EUR', 'GBP', 'IDR', 'MYR', 'NGN', 'UGX', 'ZAR'] as const;

export const cryptoCurrencies = [
  ...['AAVE', 'ADA', 'ALGO', 'ATOM', 'AVAX', 'BCH', 'CRV', 'DOT', 'DOGE', 'ETH', 'FTM', 'GRT'],
  ...['LINK', 'LTC', 'MKR', 'MATIC', 'NEAR', 'SAND', 'SNX', 'SOL', 'TRX', 'UNI', 'USDC', 'USDT'],
  ...['XBT', 'XLM', 'XRP'],
] as const;

/** Documented only for its conversion with ZAR; it cannot be sent or received. */
const convertibleCurrency = 'ZARU';

export const currencies: readonly string[] = [
  ...fiatCurrencies,
  ...cryptoCurrencies,
  convertibleCurrency,
];

/** The currency of each withdrawal method. */
export const withdrawalMethods = {
  ZAR_EFT: 'ZAR',
  NAD_EFT: 'NAD',
  KES_EFT: 'KES',
  KES_MPESA: 'KES',
  MYR_IBG: 'MYR',
  IDR_LLG: 'IDR',
  NGN_EFT: 'NGN',
  ZMW_EFT: 'ZMW',
  SGD_GIRO: 'SGD',
  SGD_WIRE: 'SGD',
  EUR_SEPA: 'EUR',
  GBP: 'GBP',
  UGX_EFT: 'UGX',
} as const;
export type WithdrawalMethod = keyof typeof withdrawalMethods;

export const withdrawalMethodCodes = Object.keys(withdrawalMethods) as readonly WithdrawalMethod[];

/** Returns whether `currency` is a crypto currency, as opposed to fiat. */
export function isCryptoCurrency(currency: string): boolean {
  return (cryptoCurrencies as readonly string[]).includes(currency);
}
