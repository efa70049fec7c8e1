/** The error that a typed method throws for a failed reply. */
import {
  ExchangeRefusedError,
  type MillraceError,
  NotSentError,
  OutcomeUnknownError,
  type Recovery,
} from '../../../domain/errors.ts';
import { errorDeclarationOf } from '../api/error-codes.ts';
import type { Operation } from '../api/operation.ts';
import type { Failure } from '../api/reply.ts';

/** Returns the error for `failure` of `operation`; its `recovery` says what the caller may do. */
export function errorOfReply(operation: Operation, failure: Failure): MillraceError {
  const { name } = operation;
  switch (failure.kind) {
    case 'not-sent':
      return new NotSentError(`${name} was not sent: ${failure.reason}`);
    case 'no-answer':
      return new OutcomeUnknownError(`${name} had no usable answer: ${failure.reason}`);
    case 'refused': {
      const { status, code, message } = failure;
      return new ExchangeRefusedError(`${name} was refused: ${code}: ${message}`, {
        status,
        exchangeCode: code,
        recovery: recoveryOf(operation, code),
      });
    }
  }
}

/** Returns what the caller may do after the exchange refused `operation` with `code`. */
function recoveryOf(operation: Operation, code: string): Recovery {
  // An undocumented code proves nothing.
  const effect = errorDeclarationOf(code)?.effect ?? 'ambiguous';
  switch (effect) {
    case 'rejected':
    case 'market-closed':
    case 'post-only-cancelled':
    case 'fatal':
      return 'give-up';
    case 'throttled':
      return operation.repeat === 'read' || operation.repeat === 'idempotent' ? 'retry' : 'look-up';
    case 'exists':
    case 'ambiguous':
      return 'look-up';
  }
}
