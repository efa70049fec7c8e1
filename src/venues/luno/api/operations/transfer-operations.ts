/** Transfers from and to the outside: deposits, sends and withdrawals. */
import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { int64, integer, optional, required, timeMs } from '../parameter.ts';
import { amount, list, optionalText, textId, time } from '../wire.ts';

export const transfer = z.object({
  id: textId,
  amount,
  fee: amount,
  created_at: time,
  inbound: z.boolean(),
  transaction_id: optionalText,
});

export const listTransfers = operation({
  name: 'listTransfers',
  method: 'GET',
  path: '/api/exchange/1/transfers',
  permission: 'Perm_R_Transfers',
  repeat: 'read',
  description: 'Lists the transfers into and out of an account, newest first, without moves.',
  parameters: {
    account_id: required(int64, 'account'),
    before: optional(timeMs, 'only those created before; the latest unless given'),
    limit: optional(
      integer(limits.listLimitMin, limits.listLimitMax, 'ErrLimitOutOfRange'),
      'at most this many, 100 unless given',
    ),
  },
  errors: ['ErrInvalidArguments', 'ErrLimitOutOfRange', 'ErrAccountNotFound'],
  response: z.object({ transfers: list(transfer) }),
});
