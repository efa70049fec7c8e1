/**
 * The scalar types of the wallet document, for parameters of requests and members of answers.
 *
 * Unlike in the exchange document, empty text and zero in a JSON body are normal values; only a
 * missing member means "not given".
 */
import * as z from 'zod';
import { countryCodes } from '../countries.ts';
import { cryptoCurrencies, currencies, withdrawalMethodCodes } from '../currencies.ts';
import { limits } from '../limits.ts';
import { flag as exchangeFlag, integer, oneOf, pattern, text } from '../parameter.ts';
import { openEnumeration } from '../wire.ts';

const never = (): boolean => false;
const isEmpty = (given: string): boolean => given === '';

/** Returns `kind` with every text as a given value. */
function strict<K extends { readonly absent: (given: string) => boolean }>(kind: K): K {
  return { ...kind, absent: never };
}

const { amountIntegerDigitsMax, amountFractionDigitsMax } = limits;

/** Up to 12 digits, and up to 18 decimals. */
export const amount = strict(
  pattern(
    new RegExp(`^\\d{1,${amountIntegerDigitsMax}}(?:\\.\\d{1,${amountFractionDigitsMax}})?$`, 'u'),
  ),
);

const twoLetters = pattern(/^[A-Z]{2}$/u);

/** An ISO 3166-1 alpha-2 country code. */
export const country: typeof twoLetters = {
  ...strict(twoLetters),
  parse: (value) => (countryCodes.includes(value) ? value : undefined),
};

const emailShape = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/u;

/** Returns whether `given` matches the document's simple pattern for e-mail addresses. */
export function isEmail(given: string): boolean {
  return emailShape.test(given);
}

/** Text of 1 to `lengthMax` characters. */
export const label = (lengthMax: number) => strict(text(lengthMax));

export const flag = strict(exchangeFlag);

/** The document declares text; these are the existing codes. */
export const currencyCode = strict(oneOf(currencies));
export const cryptoCode = strict(oneOf(cryptoCurrencies));
export const withdrawalMethod = strict(oneOf(withdrawalMethodCodes));

/** A numeric id, as text. */
export const numericId = strict(pattern(/^\d{1,19}$/u, 'ErrInvalidIdFormat'));

export const networkId = strict(pattern(/^\d{1,9}$/u, 'ErrInvalidNetworkId'));

export const destinationTag = strict(pattern(/^\d{1,10}$/u, 'ErrInvalidDestinationTag'));

/** An idempotency key: letters, digits, - and _. */
export const externalId = strict(pattern(/^[A-Za-z0-9_-]{1,255}$/u));

/** Milliseconds since the UTC epoch; 0 is a normal value. */
export const timestamp = { ...integer(0, 4_102_444_800_000), absent: isEmpty };

/** The earliest start of a time range: 2013-01-01 UTC. Our own choice. */
export const rangeStartMinMs = 1_356_998_400_000;

const { pageIndexMax, pageSizeMin, pageSizeMax } = limits;
export const pageIndex = { ...integer(0, pageIndexMax), absent: isEmpty };
export const pageSize = { ...integer(pageSizeMin, pageSizeMax), absent: isEmpty };

/** The format is undocumented; our simulator uses the pair. */
export const marketId = text(20);

export const bankAccountTypes = [
  'CURRENT/CHEQUE',
  'SAVINGS',
  'TRANSMISSION',
  'MOBILE_MONEY',
  'UNKNOWN',
] as const;
export type BankAccountType = (typeof bankAccountTypes)[number];
export const bankAccountType = strict(oneOf(bankAccountTypes));

/** Each duration, in seconds, as in the exchange document. */
export const candleSeconds = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '30m': 1800,
  '1h': 3600,
  '3h': 10_800,
  '4h': 14_400,
  '8h': 28_800,
  '24h': 86_400,
  '3d': 259_200,
  '7d': 604_800,
} as const;
export type CandleDuration = keyof typeof candleSeconds;
export const candleDuration = strict(
  oneOf(Object.keys(candleSeconds) as readonly CandleDuration[]),
);

export const depositStatuses = [
  ...(['REQUESTED', 'COMPLETED', 'FAILED', 'CANCELLED', 'CONFIRMED', 'SETTLED'] as const),
  ...(['DELETED', 'VOID_REQUIRED', 'VOID_COMPLETED', 'VOID_REQUESTED'] as const),
  ...(['REVERSED', 'UNKNOWN'] as const),
] as const;
export type DepositStatus = (typeof depositStatuses)[number];

/** An Amount in an answer. More digits than documented are accepted. */
export const answeredAmount = z.string().regex(/^\d{1,30}(?:\.\d{1,18})?$/u);

/** An AmountNeg in an answer: an Amount with an optional leading minus. */
export const answeredAmountNeg = z.string().regex(/^-?\d{1,30}(?:\.\d{1,18})?$/u);

export const answeredDepositStatus = openEnumeration(depositStatuses);
export const answeredBankAccountType = openEnumeration(bankAccountTypes);
