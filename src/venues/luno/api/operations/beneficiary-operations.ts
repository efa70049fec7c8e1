/** Bank accounts for withdrawals. */
import * as z from 'zod';
import { operation } from '../operation.ts';
import { inPath, int64, oneOf, optional, required, text } from '../parameter.ts';
import { list, openEnumeration, optionalText, textId, time } from '../wire.ts';

export const bankAccountTypes = ['Current/Cheque', 'Savings', 'Transmission'] as const;

export const beneficiary = z.object({
  id: textId,
  bank_name: z.string(),
  bank_account_number: z.string(),
  bank_account_branch: optionalText,
  bank_account_type: openEnumeration(bankAccountTypes),
  bank_country: optionalText,
  bank_recipient: z.string(),
  created_at: time,
  supports_fast_withdrawals: z.boolean(),
});
export type BeneficiaryRecord = z.output<typeof beneficiary>;

export const listBeneficiaries = operation({
  name: 'listBeneficiaries',
  method: 'GET',
  path: '/api/1/beneficiaries',
  permission: 'Perm_R_Beneficiaries',
  repeat: 'read',
  description: 'Lists the bank accounts for withdrawals.',
  parameters: {
    bank_recipient: optional(
      text(255),
      'only of this owner; `*` at the start or end fits any text',
    ),
  },
  errors: ['ErrInvalidArguments'],
  response: z.object({ beneficiaries: list(beneficiary) }),
});

export const createBeneficiary = operation({
  name: 'createBeneficiary',
  method: 'POST',
  path: '/api/1/beneficiaries',
  permission: 'Perm_W_Beneficiaries',
  repeat: 'never',
  description: 'Adds a bank account for withdrawals.',
  parameters: {
    bank_name: required(text(255), 'SWIFT code of the bank'),
    bank_account_number: required(text(255), 'number of the account'),
    account_type: required(oneOf(bankAccountTypes, 'ErrInvalidAccountType'), 'kind of account'),
    bank_recipient: required(text(255), 'owner of the account'),
  },
  errors: [
    'ErrInvalidArguments',
    'ErrInvalidAccountType',
    'ErrInvalidDetails',
    'ErrInvalidBranchCode',
    'ErrInvalidAccountNumber',
  ],
  response: z.object({ id: textId }),
});

export const deleteBeneficiary = operation({
  name: 'deleteBeneficiary',
  method: 'DELETE',
  path: '/api/1/beneficiaries/:id',
  permission: 'Perm_W_Beneficiaries',
  repeat: 'idempotent',
  emptyAnswer: true,
  description:
    'Removes a bank account. The document gives the answer as {code, message}; public facts give 204 ' +
    'without a body, on which the main SDKs fail. Both are accepted; the simulator sends the ' +
    'members, as empty texts, because a client may take any other code for an error.',
  parameters: { id: inPath(int64, 'beneficiary') },
  errors: ['ErrInvalidArguments', 'ErrBeneficiaryNotFound'],
  response: z.object({ code: optionalText, message: optionalText }),
});
