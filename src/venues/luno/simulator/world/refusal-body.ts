/**
 * Encodes a refusal. The exchange API and the wallet API have their own formats and error codes.
 */
import { encodeErrorBody } from '../../api/error-body.ts';
import { errorCodes } from '../../api/error-codes.ts';
import type { Operation } from '../../api/operation.ts';
import { encodeWalletErrorBody, walletErrorCodeOf } from '../../api/wallet/error-names.ts';
import { stringifyWireJson } from '../../api/wire-json.ts';
import type { Refusal } from '../core/refusal.ts';

/** What the format of a refusal depends on. */
export type RefusedCall = {
  readonly document: Operation['document'];
  /** Whether the operation needs a key. */
  readonly isAuthenticated: boolean;
};

/** Returns the status and the body of `refusal`. */
export function refusalBodyOf(
  { document, isAuthenticated }: RefusedCall,
  { code, message, fields }: Omit<Refusal, 'kind'>,
): { readonly status: number; readonly body: string } {
  if (document === 'wallet') {
    const { status } = errorCodes[walletErrorCodeOf(code)];
    return { status, body: stringifyWireJson(encodeWalletErrorBody({ code, message })) };
  }
  const body = stringifyWireJson(encodeErrorBody({ code, message }, { fields, isAuthenticated }));
  return { status: errorCodes[code].status, body };
}
