/**
 * Crypto networks, receive addresses, receives and sends.
 *
 * Bodies and records are documented, except: the fields of a meta-data item (our own, modelled on
 * `address_meta` of the exchange document), the status values of a send (our own), and the fields
 * of a social send, which is therefore always refused.
 */
import * as z from 'zod';
import { cryptoCurrencies } from '../../currencies.ts';
import { inPath, oneOf, optional, required, text } from '../../parameter.ts';
import { list, openEnumeration, optionalMember, optionalText, textId, time } from '../../wire.ts';
import {
  amount,
  answeredAmount,
  cryptoCode,
  destinationTag,
  externalId,
  flag,
  label,
  networkId,
  numericId,
} from '../scalars.ts';
import { page, range, rangeErrors, walletOperation } from '../wallet-operation.ts';

export const listCryptoNetworks = walletOperation({
  name: 'listCryptoNetworks',
  method: 'GET',
  path: '/api/wallet/1/crypto_networks',
  permission: 'MP_None',
  repeat: 'read',
  description: 'Lists the networks, all or those of one currency.',
  parameters: {
    currency: optional(oneOf(cryptoCurrencies), 'only networks that carry this currency'),
  },
  errors: [],
  response: z.object({
    networks: list(
      z.object({ networkId: z.string(), name: z.string(), nativeCurrency: z.string() }),
    ),
  }),
});

const receiveAddress = z.object({
  address: z.string(),
  currency: z.string(),
  walletId: textId,
  networkId: z.string(),
  createdAt: time,
  /** Only confirmed receives. */
  totalReceived: answeredAmount,
  totalUnconfirmed: answeredAmount,
  receiveFee: answeredAmount,
  /** The members are undocumented, so both are optional. */
  metaData: list(z.object({ label: optionalText, value: optionalText })),
  name: optionalMember(z.string()),
});
export type CryptoReceiveAddressRecord = z.output<typeof receiveAddress>;

export const createCryptoReceiveAddress = walletOperation({
  name: 'createCryptoReceiveAddress',
  method: 'POST',
  path: '/api/wallet/1/receive_addresses',
  permission: 'Perm_W_Addresses',
  repeat: 'never',
  description: 'Creates a receive address, under the rules of the exchange document.',
  parameters: {
    currency: required(cryptoCode, 'currency code'),
    name: optional(label(100), 'name of the address'),
    networkId: optional(networkId, 'network; the default one when left out'),
    walletId: optional(numericId, 'wallet to credit; the default one when left out'),
  },
  errors: [
    'ErrInvalidIdFormat',
    'ErrInvalidNetworkId',
    'ErrInvalidRequest',
    'ErrNotFound',
    'ErrRateLimitExceeded',
    'ErrReceivesDisabled',
  ],
  response: receiveAddress,
});

export const listCryptoReceiveAddresses = walletOperation({
  name: 'listCryptoReceiveAddresses',
  method: 'GET',
  path: '/api/wallet/1/receive_addresses',
  permission: 'Perm_R_Addresses',
  repeat: 'read',
  description: 'Lists the receive addresses, newest first.',
  parameters: { currency: optional(oneOf(cryptoCurrencies), 'only this currency'), ...page },
  errors: [],
  response: z.object({ addresses: list(receiveAddress) }),
});

export const listCryptoReceives = walletOperation({
  name: 'listCryptoReceives',
  method: 'GET',
  path: '/api/wallet/1/wallets/:walletId/crypto_receives',
  permission: 'Perm_R_Transfers',
  repeat: 'read',
  description: 'Lists the confirmed receives of a wallet, newest first.',
  parameters: { walletId: inPath(numericId, 'wallet'), ...range, ...page },
  errors: ['ErrNotFound', 'ErrInvalidIdFormat', ...rangeErrors],
  response: z.object({
    receives: list(
      z.object({
        id: z.string(),
        walletId: textId,
        targetAddress: z.string(),
        createdAt: time,
        currency: z.string(),
        amount: answeredAmount,
        networkId: z.string(),
      }),
    ),
  }),
});

const send = z.object({
  id: z.string(),
  currency: z.string(),
  walletId: textId,
  targetAddress: z.string(),
  createdAt: time,
  updatedAt: time,
  amount: answeredAmount,
  fee: answeredAmount,
  /** The values are our own. */
  status: openEnumeration(['PENDING', 'INVITED', 'COMPLETED']),
  description: optionalMember(z.string()),
});
export type CryptoSendRecord = z.output<typeof send>;

export const createCryptoSend = walletOperation({
  name: 'createCryptoSend',
  method: 'POST',
  path: '/api/wallet/1/crypto_sends',
  permission: 'Perm_W_Send',
  repeat: 'keyed',
  description:
    'Sends crypto to an address; irreversible. The body may also be a social send, whose fields ' +
    'are not shown: a send to an e-mail address is read as one and refused. A send declared ' +
    'isForex needs forexNoticeSelfDeclaration true once the yearly foreign-asset limit is exceeded.',
  parameters: {
    currency: required(cryptoCode, 'currency code'),
    amount: required(amount, 'how much, without the fee'),
    address: required(label(200), 'where to; Ethereum addresses with their checksum'),
    description: optional(label(1000), 'for the statement, at most 256 characters'),
    externalId: optional(externalId, "the caller's own id, against duplicates"),
    walletId: optional(numericId, 'wallet to debit; the default one when left out'),
    destinationTag: optional(destinationTag, 'for currencies that have them'),
    isForex: optional(flag, 'the send is a foreign-asset transfer'),
    forexNoticeSelfDeclaration: optional(flag, 'the declaration for such transfers was made'),
  },
  errors: [
    'ErrActiveCryptoRequestExists',
    'ErrAmountTooBig',
    'ErrAmountTooSmall',
    'ErrBlocked',
    'ErrDuplicateSend',
    'ErrInsufficientBalance',
    'ErrInvalidAddress',
    'ErrInvalidDestinationTag',
    'ErrInvalidIdFormat',
    'ErrInvalidRequest',
    'ErrNotFound',
    'ErrNotInAddressBook',
    'ErrReceivesDisabled',
    'ErrSocialSendsDisabled',
    'ErrTravelRule',
    'ErrUserNotVerifiedForCurrency',
  ],
  response: send,
});

export const listCryptoSends = walletOperation({
  name: 'listCryptoSends',
  method: 'GET',
  path: '/api/wallet/1/crypto_sends',
  permission: 'Perm_R_Transfers',
  repeat: 'read',
  description: 'Lists the sends, newest first.',
  parameters: { ...range, ...page },
  errors: rangeErrors,
  response: z.object({ sends: list(send) }),
});

export const estimateCryptoSend = walletOperation({
  name: 'estimateCryptoSend',
  method: 'GET',
  path: '/api/wallet/1/crypto_sends/estimate',
  permission: 'MP_None',
  repeat: 'read',
  description: 'Returns what a send would cost. The parameters are ours.',
  parameters: {
    currency: required(cryptoCode, 'currency code'),
    amount: required(amount, 'how much, without the fee'),
    address: required(text(200), 'where to'),
  },
  errors: ['ErrAmountTooSmall', 'ErrInvalidAddress', 'ErrSocialSendsDisabled'],
  response: z.object({ currency: z.string(), fee: answeredAmount }),
});
