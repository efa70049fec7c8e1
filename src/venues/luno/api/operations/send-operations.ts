/** Irreversible sends of crypto currencies, their fees and networks. */
import * as z from 'zod';
import { cryptoCurrencies } from '../currencies.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import {
  amount as amountText,
  flag,
  int64,
  neverZero,
  oneOf,
  optional,
  pattern,
  required,
  requiredByDocument,
  text,
  withZero,
} from '../parameter.ts';
import { amount, integer, list, optionalText } from '../wire.ts';

/** Letters, digits, `-` and `_`. */
export const externalIdPattern = /^[A-Za-z0-9_-]{1,255}$/u;

const currencyCode = oneOf(cryptoCurrencies, 'ErrInvalidCurrency');
const currency = required(currencyCode, 'currency to send');

export const send = operation({
  name: 'send',
  method: 'POST',
  path: '/api/1/send',
  permission: 'Perm_W_Send',
  repeat: 'keyed',
  description:
    'Sends crypto currency to an address, or to an e-mail address if the currency allows it; a ' +
    'recipient without an account is invited to claim it. Only an external_id makes a repeat safe.',
  parameters: {
    amount: required(amountText, 'more than zero, without the fee'),
    currency,
    address: required(text(255), 'address, with checksum for Ethereum, or e-mail address'),
    description: optional(
      { ...text(limits.descriptionLengthMax), errorCode: 'ErrDescriptionTooLong' },
      'appears on the statement',
    ),
    message: optional(text(1000), 'for an e-mail recipient'),
    external_id: optional(
      pattern(externalIdPattern),
      "the caller's own id, which makes a second send with it fail",
    ),
    has_destination_tag: optional(flag, 'whether there is an XRP tag, even if it is zero'),
    destination_tag: optional(withZero(int64), 'XRP tag; needs has_destination_tag'),
    memo: optional(text(255), 'for currencies with memo addresses, e.g. ATOM'),
    is_forex_send: optional(flag, 'whether it counts as foreign exchange'),
    is_drb: optional(flag, 'whether a balance-of-payments report is due'),
    forex_notice_self_declaration: optional(flag, "the caller's declaration for such a send"),
    account_id: optional(neverZero(int64), 'account that pays; the default one unless given'),
    network: optional(
      withZero(int64),
      'see send networks; if the currency has no network 0, 0 means the default network',
    ),
  },
  errors: [
    'ErrInvalidArguments',
    'ErrInvalidValue',
    'ErrInvalidAmount',
    'ErrAmountTooSmall',
    'ErrAmountTooBig',
    'ErrInvalidCurrency',
    'ErrDescriptionTooLong',
    'ErrVerificationLevelTooLow',
    'ErrTravelRule',
    'ErrUserNotVerifiedForCurrency',
    'ErrBlockedSendsCurrency',
    'ErrDisallowedTarget',
    'ErrAccountLimit',
    'ErrAccountNotFound',
    'ErrInvalidAccountID',
    'ErrInvalidWalletType',
    'ErrDuplicateExternalID',
    'ErrActiveCryptoRequestExists',
    'ErrInsufficientBalance',
  ],
  response: z.object({ success: z.boolean(), withdrawal_id: optionalText }),
});

export const sendFee = operation({
  name: 'sendFee',
  method: 'GET',
  path: '/api/1/send_fee',
  source: 'facts',
  repeat: 'read',
  description: 'Returns what a send to an address would cost now.',
  parameters: {
    address: required(text(255), 'address or e-mail address'),
    amount: required(amountText, 'amount of the send'),
    currency,
  },
  errors: ['ErrInvalidArguments', 'ErrInvalidValue', 'ErrInvalidAmount', 'ErrInvalidCurrency'],
  response: z.object({ currency: z.string(), fee: amount }),
});

export const sendNetworks = operation({
  name: 'sendNetworks',
  method: 'GET',
  path: '/api/1/send/networks',
  repeat: 'read',
  description:
    'Lists the networks that a currency can be sent on, the default one first. Public SDKs require ' +
    'the currency; a client that lists all networks leaves it out.',
  parameters: {
    currency: requiredByDocument(currencyCode, 'only its networks; all networks unless given'),
  },
  errors: ['ErrInvalidArguments', 'ErrInvalidCurrency'],
  response: z.object({
    networks: list(z.object({ id: integer, name: z.string(), native_currency: z.string() })),
  }),
});
