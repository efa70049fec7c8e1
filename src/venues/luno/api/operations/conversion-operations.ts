/** The conversion of the only pair with a fixed rate. */
import * as z from 'zod';
import { operation } from '../operation.ts';
import { amount as amountText, int64, required, text } from '../parameter.ts';
import { amount } from '../wire.ts';

export const convert = operation({
  name: 'convert',
  method: 'POST',
  path: '/api/exchange/1/convert',
  permission: 'MP_Transfers',
  repeat: 'keyed',
  description:
    'Converts ZAR to ZARU or ZARU to ZAR, one to one. Repeating the key of a conversion that ' +
    'completed returns its first answer and converts nothing; a conversion that failed needs a ' +
    'new key.',
  parameters: {
    amount: required(amountText, 'more than zero, in the currency of the source account'),
    source_account_id: required(int64, 'account that pays'),
    target_account_id: required(int64, 'account that receives'),
    idempotency_key: required(
      { ...text(255), missingErrorCode: 'ErrMissingIdempotencyKey' },
      "the caller's own key of this conversion",
    ),
  },
  errors: [
    'ErrInvalidArguments',
    'ErrInvalidValue',
    'ErrInvalidAmount',
    'ErrMissingIdempotencyKey',
    'ErrIdempotencyKeyConflict',
    'ErrIdempotencyKeyRequestMismatch',
    'ErrAccountNotFound',
    'ErrAccountsNotDifferent',
    'ErrDebitAccountTypeNotSupported',
    'ErrCreditAccountTypeNotSupported',
    'ErrConvertPairNotSupported',
    'ErrConvertRateLimited',
    'ErrInsufficientBalance',
  ],
  response: z.object({
    id: z.string().min(1),
    converted_amount: amount,
    source_account_balance: amount,
    target_account_balance: amount,
    source_currency: z.string(),
    target_currency: z.string(),
  }),
});
