/**
 * Wallets and transfers between them.
 *
 * The document gives the bodies and shared parameters of these operations, but not the records of
 * wallets and transfers: those are our own. A wallet is an account of the exchange document, with
 * the same id.
 */
import * as z from 'zod';
import { limits } from '../../limits.ts';
import { inPath, optional, required } from '../../parameter.ts';
import { list, optionalMember, textId, time } from '../../wire.ts';
import {
  amount,
  answeredAmount,
  answeredAmountNeg,
  currencyCode,
  label,
  numericId,
} from '../scalars.ts';
import { page, range, rangeErrors, walletOperation } from '../wallet-operation.ts';

const wallet = z.object({
  id: textId,
  name: z.string(),
  currency: z.string(),
  balance: answeredAmountNeg,
  /** The balance minus the reserved amount. */
  available: answeredAmountNeg,
  /** Whether requests without a wallet use it. */
  isDefault: z.boolean(),
});
export type WalletRecord = z.output<typeof wallet>;

const walletId = inPath(numericId, 'wallet');

export const listWallets = walletOperation({
  name: 'listWallets',
  method: 'GET',
  path: '/api/wallet/1/wallets',
  permission: 'Perm_R_Balance',
  repeat: 'read',
  description: 'Lists the wallets with their balances, in order of creation. The record is ours.',
  parameters: page,
  errors: [],
  response: z.object({ wallets: list(wallet) }),
});

export const createWallet = walletOperation({
  name: 'createWallet',
  method: 'POST',
  path: '/api/wallet/1/wallets',
  permission: 'Perm_W_Addresses',
  repeat: 'never',
  description: 'Creates a wallet for one currency; at most 10 of each. The record is ours.',
  parameters: {
    name: required(label(limits.walletNameLengthMax), '1 to 100 characters'),
    currency: required(currencyCode, 'currency code'),
  },
  errors: ['ErrInvalidRequest', 'ErrUserNotVerifiedForCurrency'],
  response: wallet,
});

export const getWallet = walletOperation({
  name: 'getWallet',
  method: 'GET',
  path: '/api/wallet/1/wallets/:walletId',
  permission: 'Perm_R_Balance',
  repeat: 'read',
  description: 'Returns one wallet. The record is ours.',
  parameters: { walletId },
  errors: ['ErrNotFound', 'ErrInvalidIdFormat'],
  response: wallet,
});

export const updateWallet = walletOperation({
  name: 'updateWallet',
  method: 'PUT',
  path: '/api/wallet/1/wallets/:walletId',
  permission: 'Perm_W_Addresses',
  repeat: 'idempotent',
  description: 'Renames a wallet. The record is ours.',
  parameters: {
    walletId,
    name: required(label(limits.walletNameLengthMax), '1 to 100 characters'),
  },
  errors: ['ErrNotFound', 'ErrInvalidIdFormat'],
  response: wallet,
});

const transfer = z.object({
  id: z.string(),
  walletId: textId,
  toWalletId: textId,
  currency: z.string(),
  amount: answeredAmount,
  clientTransferId: optionalMember(z.string()),
  status: z.string(),
  createdAt: time,
  updatedAt: time,
});
export type WalletTransferRecord = z.output<typeof transfer>;

export const createWalletTransfer = walletOperation({
  name: 'createWalletTransfer',
  method: 'POST',
  path: '/api/wallet/1/wallets/:walletId/transfers',
  permission: 'MP_None_Write',
  repeat: 'keyed',
  description:
    'Moves money from this wallet to another one of the same owner and currency. A ' +
    'clientTransferId is good for one successful transfer. The record is ours, with the states of a move.',
  parameters: {
    walletId: inPath(numericId, 'wallet to debit'),
    toWalletId: required(numericId, 'wallet to credit'),
    amount: required(amount, 'how much, above zero'),
    clientTransferId: optional(label(255), "the caller's own id, against duplicates"),
  },
  errors: [
    'ErrAmountTooSmall',
    'ErrBlocked',
    'ErrDebitAccountNotOwnedByUser',
    'ErrDuplicateClientMoveID',
    'ErrInsufficientBalance',
    'ErrInvalidIdFormat',
    'ErrInvalidRequest',
    'ErrResourceNotFound',
  ],
  response: transfer,
});

export const listWalletTransfers = walletOperation({
  name: 'listWalletTransfers',
  method: 'GET',
  path: '/api/wallet/1/wallets/:walletId/transfers',
  permission: 'MP_None',
  repeat: 'read',
  description: 'Lists the transfers from and to a wallet, newest first. The record is ours.',
  parameters: { walletId, ...range, ...page },
  errors: ['ErrNotFound', 'ErrInvalidIdFormat', ...rangeErrors],
  response: z.object({ transfers: list(transfer) }),
});
