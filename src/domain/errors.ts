/**
 * Failures, by what a caller may do next. Match on `code`, never on the message.
 *
 * Invariant: no message holds a secret; headers, keys and signatures never enter an error.
 */

/** What a caller may do after a failure. */
export type Recovery =
  | 'retry' // Nothing reached the exchange, so sending again cannot duplicate.
  | 'look-up' // The exchange may have acted. Ask by client_order_id before anything else.
  | 'give-up'; // The answer is final.

export type FailureOptions = ErrorOptions & { readonly suggests?: readonly string[] };

/** Base of every failure that Millrace reports on purpose. */
export abstract class MillraceError extends Error {
  abstract readonly code: string;
  abstract readonly recovery: Recovery;
  /** Words of a command line that helps, the verb first; whoever prints it makes it whole. */
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

/** A rule of safety forbids what was asked for, as real money without `--live`. Exit code 3. */
export class SafetyRefusedError extends MillraceError {
  readonly code = 'MR_SAFETY';
  readonly recovery = 'give-up';
}

/** Something that was named is not there. Exit code 4. */
export class NotFoundError extends MillraceError {
  readonly code = 'MR_NOT_FOUND';
  readonly recovery = 'give-up';
}

/** Something from outside is not what its format says. */
export class DecodeError extends MillraceError {
  readonly code = 'MR_DECODE';
  readonly recovery = 'give-up';
}

/** The request never left this machine. */
export class NotSentError extends MillraceError {
  readonly code = 'MR_NOT_SENT';
  readonly recovery = 'retry';
}

/** The request may have reached the exchange and no usable answer came back. */
export class OutcomeUnknownError extends MillraceError {
  readonly code = 'MR_OUTCOME_UNKNOWN';
  readonly recovery = 'look-up';
}

/** The exchange answered with a refusal. `exchangeCode` is its own code, as it came. */
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

/** The store could not keep what must be kept; the process must end. */
export class StoreError extends MillraceError {
  readonly code = 'MR_STORE';
  readonly recovery = 'give-up';
}

/** Another process holds the database; one bot writes one database. Ends with exit code 75. */
export class AlreadyRunningError extends MillraceError {
  readonly code = 'MR_ALREADY_RUNNING';
  readonly recovery = 'give-up';
}

/** Code of a strategy failed where the engine cannot stop the strategy for it. */
export class StrategyError extends MillraceError {
  readonly code = 'MR_STRATEGY';
  readonly recovery = 'give-up';
}

/** Our picture is wrong: a bug, or a server that breaks its own rules. */
export class InvariantError extends MillraceError {
  readonly code = 'MR_INVARIANT';
  readonly recovery = 'give-up';
}

/** Throws {@link InvariantError} unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
