/** How an exchange refuses a request about an account: the code, and a message for people. */
import type { ErrorCode } from '../exchange-api/error-codes.ts';

export type AccountRefusal = {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
};

export function refused(code: ErrorCode, message: string): AccountRefusal {
  return { kind: 'refused', code, message };
}
