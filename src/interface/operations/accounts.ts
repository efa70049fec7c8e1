/** Balances and the append-only ledger of an account. */
import * as z from 'zod';
import { operation } from '../operation.ts';
import { inPath, int64, repeated, required, text } from '../parameter.ts';
import {
  amount,
  integer,
  integerId,
  list,
  openEnumeration,
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
    assets: repeated(text(10), 'only these currencies'),
    account_type: repeated(text(30), 'only accounts of these types'),
  },
  response: z.object({
    balance: list(
      z.object({
        account_id: textId,
        account_type: z.string().optional(),
        asset: z.string(),
        balance: amount,
        reserved: amount,
        unconfirmed: amount,
        name: optionalText,
      }),
    ),
  }),
});

const tradeDetails = z.object({
  pair: z.string(),
  price: amount,
  sequence: integerId,
  volume: amount,
});

export const transactionEntry = z.object({
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
  errors: ['ErrAccountNotFound', 'ErrTooManyRowsRequested'],
  response: z.object({ id: textId, transactions: list(transactionEntry) }),
});
