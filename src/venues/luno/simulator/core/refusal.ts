/** A refusal: the error code, a message for people and, for invalid arguments, their names. */
import type { ErrorCode } from '../../api/error-codes.ts';

export type Refusal = {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields?: readonly string[];
};

export function refuse(code: ErrorCode, message: string): Refusal {
  return { kind: 'refused', code, message };
}

/** Returns the refusal of arguments whose values are invalid. */
export function refuseArguments(fields: readonly string[], message: string): Refusal {
  return { ...refuse('ErrInvalidArguments', message), fields };
}
