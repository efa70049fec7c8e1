/** Receive addresses, and the validation of target addresses. */
import * as z from 'zod';
import { cryptoCurrencies } from '../currencies.ts';
import { operation } from '../operation.ts';
import {
  flag,
  int64,
  neverZero,
  oneOf,
  optional,
  pattern,
  required,
  text,
  withZero,
} from '../parameter.ts';
import { amount, integer, list, optionalText, textId, time } from '../wire.ts';

export const receiveAddress = z.object({
  account_id: textId,
  address: z.string(),
  address_meta: list(z.object({ label: z.string(), value: z.string() })),
  asset: z.string(),
  assigned_at: time,
  name: optionalText,
  network: integer,
  qr_code_uri: optionalText,
  receive_fee: amount,
  total_received: amount,
  total_unconfirmed: amount,
});
export type ReceiveAddressRecord = z.output<typeof receiveAddress>;

const asset = required(oneOf(cryptoCurrencies, 'ErrInvalidCurrency'), 'currency of the address');
const network = optional(
  withZero(int64),
  'network, see send networks; where the currency has no network 0, 0 means the default one',
);

export const getReceiveAddress = operation({
  name: 'getReceiveAddress',
  method: 'GET',
  path: '/api/1/funding_address',
  permission: 'Perm_R_Addresses',
  repeat: 'read',
  description:
    'Returns an address with the amounts received: total_received is confirmed, ' +
    'total_unconfirmed is not.',
  parameters: {
    asset,
    address: optional(text(255), 'the default address unless given'),
    network,
  },
  errors: ['ErrInvalidArguments', 'ErrInvalidCurrency', 'ErrNoAddressesAssigned', 'ErrNotFound'],
  response: receiveAddress,
});

export const createReceiveAddress = operation({
  name: 'createReceiveAddress',
  method: 'POST',
  path: '/api/1/funding_address',
  permission: 'Perm_W_Addresses',
  repeat: 'never',
  description:
    'Creates a receive address: one an hour, with bursts of up to 10, and only one for Ethereum.',
  parameters: {
    asset,
    name: optional(text(255), 'name of the address'),
    account_id: optional(neverZero(int64), 'the default account of the currency unless given'),
    network,
  },
  errors: [
    'ErrInvalidArguments',
    'ErrInvalidCurrency',
    'ErrUserNotVerifiedForCurrency',
    'ErrBlockedSendsCurrency',
    'ErrAccountNotFound',
    'ErrInvalidAccountID',
    'ErrERC20NonTransactionalAccount',
    'ErrUnsupportedWalletType',
    'ErrERC20AddressAlreadyAssigned',
    'ErrAddressLimitReached',
    'ErrAddressCreateRateLimitReached',
  ],
  response: receiveAddress,
});

const person = 'of a beneficiary who is a person';

export const validateAddress = operation({
  name: 'validateAddress',
  method: 'POST',
  path: '/api/1/address/validate',
  permission: 'Perm_W_Send',
  repeat: 'idempotent',
  description:
    'Screens and registers the beneficiary of an outgoing send (type send), or gives the ' +
    'originator of a quarantined deposit (type receive). A self send leaves everything after ' +
    'is_self_send empty. A legal entity has institution_name and country, but no beneficiary name, ' +
    'nationality or date of birth; a person has these three and country, but no ' +
    'institution_name. The answer only confirms that the request was received. The parameters for ' +
    'type receive are undocumented: payment_id is our own name, and the rules are those of send.',
  parameters: {
    type: optional(oneOf(['send', 'receive']), 'send unless given'),
    address: optional(text(255), 'address or e-mail address; required for type send'),
    currency: optional(oneOf(cryptoCurrencies, 'ErrInvalidCurrency'), 'currency of the send'),
    payment_id: optional(neverZero(int64), 'id of the pending deposit; required for type receive'),
    address_name: optional(text(255), 'name in the address book'),
    has_destination_tag: optional(flag, 'required for XRP; true even when the tag is zero'),
    destination_tag: optional(withZero(int64), 'XRP tag; needs has_destination_tag'),
    memo: optional(text(255), 'for currencies with memo addresses, e.g. ATOM'),
    is_self_send: optional(flag, "whether the address is the caller's own"),
    is_private_wallet: optional(flag, 'whether the wallet is self-hosted'),
    wallet_name: optional(text(255), 'name of the wallet'),
    beneficiary_name: optional(text(255), `name ${person}`),
    institution_name: optional(text(255), 'name of a beneficiary that is a legal entity'),
    physical_address: optional(text(1000), 'postal address of the beneficiary'),
    is_legal_entity: optional(flag, 'whether the beneficiary is a legal entity'),
    country: optional(text(3), 'of the beneficiary, ISO 3166-1 alpha-2'),
    nationality: optional(text(3), `${person}, ISO 3166-1 alpha-2`),
    date_of_birth: optional(pattern(/^\d{4}-\d{2}-\d{2}$/u), `${person}, YYYY-MM-DD`),
  },
  errors: [
    'ErrInvalidArguments',
    'ErrInvalidCurrency',
    'ErrVerificationLevelTooLow',
    'ErrDisallowedTarget',
    'ErrNotFound',
  ],
  response: z.object({ success: z.boolean() }),
});
