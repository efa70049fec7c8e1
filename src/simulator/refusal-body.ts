/** A refusal as it is answered: each document has its own form and its own names of codes. */
import { encodeErrorBody } from '../interface/error-body.ts';
import { errorCodes } from '../interface/errors.ts';
import type { Operation } from '../interface/operation.ts';
import { encodeWalletErrorBody, walletErrorCodeOf } from '../interface/wallet/error-names.ts';
import { stringifyWireJson } from '../interface/wire-json.ts';
import type { Refusal } from './refusal.ts';

/** What the form of a refusal depends on. */
export type RefusedCall = {
  readonly document: Operation['document'];
  /** Whether the operation needs a key. */
  readonly isAuthenticated: boolean;
};

/** Returns status and body of `refusal`. */
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
