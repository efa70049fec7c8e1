/**
 * Errors, classified by what a caller may do next. Match on `code`, never on the message.
 *
 * Invariant: no error contains a secret: no header, key or signature.
 */

/** What a caller may do after a failure. */
export type Recovery =
  | 'retry' // Nothing reached the exchange, so sending again cannot cause a duplicate.
  | 'look-up' // The exchange may have acted. Look up the client_order_id first.
  | 'give-up'; // The answer is final.

/** Options of an error; `suggests` has the words of a command that may help. */
export type FailureOptions = ErrorOptions & { readonly suggests?: readonly string[] };

/** Base of all errors that Millrace throws on purpose. */
export abstract class MillraceError extends Error {
  abstract readonly code: string;
  abstract readonly recovery: Recovery;
  /** The words of a helpful command, without the program; the printer completes the line. */
  readonly suggests: readonly string[] | undefined;

  constructor(message?: string, options?: FailureOptions) {
    super(message, options);
    this.suggests = options?.suggests;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * A setting is wrong. The message names file, line, key, value, what is allowed and the likely fix.
 */
export class ConfigError extends MillraceError {
  readonly code = 'MR_CONFIG';
  readonly recovery = 'give-up';
}

/** A safety rule forbids the request, such as live trading without `--live`. Exit code 3. */
export class SafetyRefusedError extends MillraceError {
  readonly code = 'MR_SAFETY';
  readonly recovery = 'give-up';
}

/** Something that was named does not exist. Exit code 4. */
export class NotFoundError extends MillraceError {
  readonly code = 'MR_NOT_FOUND';
  readonly recovery = 'give-up';
}

/** Data from outside does not have the expected format. */
export class DecodeError extends MillraceError {
  readonly code = 'MR_DECODE';
  readonly recovery = 'give-up';
}

/** The request was not sent. */
export class NotSentError extends MillraceError {
  readonly code = 'MR_NOT_SENT';
  readonly recovery = 'retry';
}

/** The request may have reached the exchange, but there was no usable answer. */
export class OutcomeUnknownError extends MillraceError {
  readonly code = 'MR_OUTCOME_UNKNOWN';
  readonly recovery = 'look-up';
}

/** The exchange refused the request. `exchangeCode` is its error code, unchanged. */
export class ExchangeRefusedError extends MillraceError {
  readonly code = 'MR_EXCHANGE_REFUSED';
  readonly recovery: Recovery;
  readonly status: number;
  readonly exchangeCode: string;

  constructor(
    message: string,
    refusal: {
      readonly status: number;
      readonly exchangeCode: string;
      readonly recovery: Recovery;
    },
  ) {
    super(message);
    this.status = refusal.status;
    this.exchangeCode = refusal.exchangeCode;
    this.recovery = refusal.recovery;
  }
}

/** The store failed to save required data; the process must end. */
export class StoreError extends MillraceError {
  readonly code = 'MR_STORE';
  readonly recovery = 'give-up';
}

/** Another process has locked the database. Exit code 75. */
export class AlreadyRunningError extends MillraceError {
  readonly code = 'MR_ALREADY_RUNNING';
  readonly recovery = 'give-up';
}

/** A strategy's code failed where the engine cannot stop only that strategy. */
export class StrategyError extends MillraceError {
  readonly code = 'MR_STRATEGY';
  readonly recovery = 'give-up';
}

/** An invariant is broken: a bug, or an exchange that breaks its own rules. */
export class InvariantError extends MillraceError {
  readonly code = 'MR_INVARIANT';
  readonly recovery = 'give-up';
}

/** Throws {@link InvariantError} unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
