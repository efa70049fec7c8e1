/** The currencies, the pairs and the withdrawal methods that the documents name. */

const fiatCurrencies = ['AUD', 'EUR', 'GBP', 'IDR', 'MYR', 'NGN', 'UGX', 'ZAR'] as const;

export const cryptoCurrencies = [
  ...['AAVE', 'ADA', 'ALGO', 'ATOM', 'AVAX', 'BCH', 'CRV', 'DOT', 'DOGE', 'ETH', 'FTM', 'GRT'],
  ...['LINK', 'LTC', 'MKR', 'MATIC', 'NEAR', 'SAND', 'SNX', 'SOL', 'TRX', 'UNI', 'USDC', 'USDT'],
  ...['XBT', 'XLM', 'XRP'],
] as const;

/** Named for its conversion with ZAR only; it is neither sent nor received here. */
const convertibleCurrency = 'ZARU';

export const currencies: readonly string[] = [
  ...fiatCurrencies,
  ...cryptoCurrencies,
  convertibleCurrency,
];

/** Those that the documents give as examples; an exchange may offer others. */
export const namedPairs = ['XBTEUR', 'XBTZAR', 'XBTUGX', 'XBTZMW', 'ETHXBT', 'BCHXBT'] as const;

/** What a bank account is paid in, by withdrawal method. */
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

/** Returns whether `currency` is one that addresses hold, as opposed to a bank's. */
export function isCryptoCurrency(currency: string): boolean {
  return (cryptoCurrencies as readonly string[]).includes(currency);
}
