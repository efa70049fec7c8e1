/** The refusal of a request about an account: the exchange's error code and message. */
import type { ErrorCode } from '../venues/luno/api/error-codes.ts';

export type AccountRefusal = {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
};

export function refused(code: ErrorCode, message: string): AccountRefusal {
  return { kind: 'refused', code, message };
}
