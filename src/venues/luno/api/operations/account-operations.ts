/** Accounts: balances, append-only ledgers and pending entries. */
import * as z from 'zod';
import { accountTypes, creatableAccountTypes } from '../account-types.ts';
import { currencies } from '../currencies.ts';
import { operation } from '../operation.ts';
import { inPath, int64, oneOf, optional, pattern, repeated, required, text } from '../parameter.ts';
import {
  amount,
  integer,
  integerId,
  list,
  openEnumeration,
  optionalList,
  optionalMember,
  optionalText,
  textId,
  time,
} from '../wire.ts';

export const balance = operation({
  name: 'balance',
  method: 'GET',
  path: '/api/1/balance',
  permission: 'Perm_R_Balance',
  repeat: 'read',
  description: 'Lists the accounts with their balances.',
  parameters: {
    // The exchange refuses a list with commas.
    assets: repeated(pattern(/^[A-Z0-9]{1,10}$/u), 'only these currencies'),
    account_type: repeated(
      oneOf(accountTypes, 'ErrInvalidAccountType'),
      'only accounts of these types',
    ),
  },
  errors: ['ErrInvalidArguments', 'ErrInvalidAccountType'],
  response: z.object({
    balance: list(
      z.object({
        account_id: textId,
        account_type: optionalMember(z.string()),
        asset: z.string(),
        balance: amount,
        reserved: amount,
        unconfirmed: amount,
        name: optionalText,
      }),
    ),
  }),
});

export const createAccount = operation({
  name: 'createAccount',
  method: 'POST',
  path: '/api/1/accounts',
  permission: 'Perm_W_Addresses',
  repeat: 'never',
  description: 'Opens an account. A user may have 10 of a currency, and must be verified for it.',
  parameters: {
    currency: required(oneOf(currencies, 'ErrInvalidCurrency'), 'currency of the account'),
    name: required(text(255), 'name of the account'),
    account_type: optional(
      oneOf(creatableAccountTypes, 'ErrInvalidAccountType'),
      'TRANSACTIONAL unless given',
    ),
  },
  errors: [
    'ErrInvalidArguments',
    'ErrInvalidCurrency',
    'ErrInvalidAccountType',
    'ErrUserNotVerifiedForCurrency',
    'ErrAccountLimit',
  ],
  response: z.object({ currency: z.string(), id: textId, name: z.string() }),
});

export const renameAccount = operation({
  name: 'renameAccount',
  method: 'PUT',
  path: '/api/1/accounts/:id/name',
  permission: 'Perm_W_Addresses',
  repeat: 'idempotent',
  description: 'Changes the name of an account.',
  parameters: {
    id: inPath(int64, 'account'),
    name: required(text(255), 'new name of the account'),
  },
  errors: ['ErrInvalidArguments', 'ErrAccountNotFound'],
  response: z.object({ success: z.boolean() }),
});

const tradeDetails = z.object({
  pair: z.string(),
  price: amount,
  sequence: integerId,
  volume: amount,
});

const transactionEntry = z.object({
  row_index: integer,
  timestamp: time,
  account_id: textId,
  currency: z.string(),
  balance: amount,
  balance_delta: amount,
  available: amount,
  available_delta: amount,
  description: optionalText,
  reference: optionalText,
  kind: openEnumeration(['FEE', 'TRANSFER', 'EXCHANGE', 'INTEREST']),
  details: z.record(z.string(), z.string()).nullish(),
  detail_fields: z
    .object({
      crypto_details: z.object({ address: z.string(), txid: z.string() }).nullish(),
      trade_details: tradeDetails.nullish(),
    })
    .nullish(),
});
export type TransactionEntry = z.output<typeof transactionEntry>;

export const transactions = operation({
  name: 'transactions',
  method: 'GET',
  path: '/api/1/accounts/:id/transactions',
  permission: 'Perm_R_Transactions',
  repeat: 'read',
  description:
    'Lists ledger rows, oldest first. A row number of zero or less counts from the newest row.',
  parameters: {
    id: inPath(int64, 'account'),
    min_row: required(int64, 'first row, included'),
    max_row: required(int64, 'last row, excluded; at most 1000 rows after min_row'),
  },
  errors: ['ErrInvalidArguments', 'ErrAccountNotFound', 'ErrTooManyRowsRequested'],
  response: z.object({ id: textId, transactions: list(transactionEntry) }),
});

/**
 * An entry that may still change or disappear. It is not a ledger row yet: row_index 0 or missing.
 */
const pendingEntry = transactionEntry.extend({
  row_index: optionalMember(integer),
  payment_id: optionalMember(textId),
});
export type PendingEntry = z.output<typeof pendingEntry>;

export const listPending = operation({
  name: 'listPending',
  method: 'GET',
  path: '/api/1/accounts/:id/pending',
  permission: 'Perm_R_Transactions',
  repeat: 'read',
  description:
    'Lists entries that are not ledger rows yet. They are not numbered, and may change, move or ' +
    'disappear. The documents name a second list, transactions, without its content: ours is ' +
    'empty, because final entries are read with transactions. They also mention a payment ' +
    'identifier without its name: payment_id is ours.',
  parameters: { id: inPath(int64, 'account') },
  errors: ['ErrInvalidArguments', 'ErrAccountNotFound'],
  response: z.object({
    id: textId,
    currency: z.string(),
    name: optionalText,
    pending: list(pendingEntry),
    transactions: optionalList(transactionEntry),
  }),
});
