/** Withdrawals to a bank account. */
import * as z from 'zod';
import { withdrawalMethodCodes } from '../currencies.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import {
  amount as amountText,
  flag,
  inPath,
  int64,
  integer,
  neverZero,
  oneOf,
  optional,
  pattern,
  required,
  text,
} from '../parameter.ts';
import { amount, list, openEnumeration, optionalId, optionalText, textId, time } from '../wire.ts';
import { externalIdPattern } from './send-operations.ts';

export const withdrawal = z.object({
  id: textId,
  status: openEnumeration([
    'PENDING',
    'PROCESSING',
    'COMPLETED',
    'CANCELLED',
    'WAITING',
    'CANCELLING',
    'UNKNOWN',
  ]),
  created_at: time,
  type: openEnumeration(withdrawalMethodCodes),
  currency: z.string(),
  amount,
  fee: amount,
  external_id: optionalText,
  transfer_id: optionalId,
});
export type WithdrawalRecord = z.output<typeof withdrawal>;

/** The answer to a request or a cancel: documented with `id` and `status`; the wire has it all. */
const withdrawalAnswer = withdrawal.partial({
  created_at: true,
  type: true,
  currency: true,
  amount: true,
  fee: true,
});

const id = inPath(int64, 'withdrawal');

export const listWithdrawals = operation({
  name: 'listWithdrawals',
  method: 'GET',
  path: '/api/1/withdrawals',
  earlierPaths: ['/api/1/withdrawals/'],
  permission: 'Perm_R_Withdrawals',
  repeat: 'read',
  description: 'Lists withdrawals, newest first.',
  parameters: {
    before_id: optional(int64, 'only this one and older ones'),
    limit: optional(
      integer(limits.listLimitMin, limits.listLimitMax, 'ErrLimitOutOfRange'),
      'at most this many, 100 unless given',
    ),
  },
  errors: ['ErrInvalidArguments', 'ErrLimitOutOfRange'],
  response: z.object({ withdrawals: list(withdrawal) }),
});

export const createWithdrawal = operation({
  name: 'createWithdrawal',
  method: 'POST',
  path: '/api/1/withdrawals',
  earlierPaths: ['/api/1/withdrawals/'],
  permission: 'Perm_W_Withdrawals',
  repeat: 'keyed',
  description:
    'Requests a payment to a bank account. Only an external_id makes a repeat safe. The document ' +
    'gives the answer as {id, status}; the wire has the whole record. Both are accepted.',
  parameters: {
    type: required(oneOf(withdrawalMethodCodes, 'ErrInvalidRequestType'), 'withdrawal method'),
    amount: required(amountText, 'more than zero, without the fee'),
    beneficiary_id: optional(neverZero(int64), 'bank account; required when there are several'),
    external_id: optional(
      pattern(externalIdPattern),
      "the caller's own id, which makes a second withdrawal with it fail",
    ),
    source_account_id: optional(
      neverZero(int64),
      'account that pays; the default one unless given',
    ),
    fast: optional(flag, 'at once, for a higher fee; ZAR_EFT only'),
    reference: optional(text(255), 'deprecated'),
  },
  errors: [
    'ErrInvalidArguments',
    'ErrInvalidValue',
    'ErrInvalidRequestType',
    'ErrInvalidAmount',
    'ErrAmountTooSmall',
    'ErrAmountTooBig',
    'ErrInvalidSourceAccount',
    'ErrAccountNotFound',
    'ErrBeneficiaryNotFound',
    'ErrIncompatibleBeneficiary',
    'ErrRejectedBeneficiary',
    'ErrBeneficiaryScreeningRejected',
    'ErrRequestTypeDoesNotSupportFastWithdrawals',
    'ErrCustomRefNotAllowed',
    'ErrDuplicateExternalID',
    'ErrMaxActiveFiatRequestsExists',
    'ErrWithdrawalBlocked',
    'ErrInsufficientBalance',
  ],
  response: withdrawalAnswer,
});

export const getWithdrawal = operation({
  name: 'getWithdrawal',
  method: 'GET',
  path: '/api/1/withdrawals/:id',
  earlierPaths: ['/api/1/withdrawals/:id/'],
  permission: 'Perm_R_Withdrawals',
  repeat: 'read',
  description: 'Returns a withdrawal.',
  parameters: { id },
  errors: ['ErrInvalidArguments', 'ErrWithdrawalNotFound'],
  response: withdrawal,
});

export const cancelWithdrawal = operation({
  name: 'cancelWithdrawal',
  method: 'DELETE',
  path: '/api/1/withdrawals/:id',
  earlierPaths: ['/api/1/withdrawals/:id/'],
  permission: 'Perm_W_Withdrawals',
  repeat: 'idempotent',
  description:
    'Cancels a withdrawal that is still PENDING. The document gives the answer as {id, status}; ' +
    'the wire has the whole record. Both are accepted.',
  parameters: { id },
  errors: ['ErrInvalidArguments', 'ErrWithdrawalNotFound', 'ErrUserBlockedForCancelWithdrawal'],
  response: withdrawalAnswer,
});
