/** A refusal: the error code, a message for people and, for invalid arguments, their names. */
import { type AccountRefusal, refused } from '../../../../exchange-accounts/account-refusal.ts';
import type { ErrorCode } from '../../api/error-codes.ts';

export type Refusal = AccountRefusal & { readonly fields?: readonly string[] };

export function refuse(code: ErrorCode, message: string): Refusal {
  return refused(code, message);
}

/** Returns the refusal of arguments whose values are invalid. */
export function refuseArguments(fields: readonly string[], message: string): Refusal {
  return { ...refuse('ErrInvalidArguments', message), fields };
}
