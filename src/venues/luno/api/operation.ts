/**
 * The declaration of an operation of the exchange. The client's typed method, the simulator's
 * route, the permission check and the reference page are all derived from it.
 */
import type * as z from 'zod';
import type { ErrorCode } from './error-codes.ts';
import type { Parameter } from './parameter.ts';
import type { Permission } from './permissions.ts';

/**
 * Whether a request may be repeated when its outcome is unknown. `read` and `idempotent`: always.
 * `keyed`: only with the same key, because the exchange refuses a duplicate. `never`: only after
 * looking up what happened.
 */
export type Repeat = 'read' | 'idempotent' | 'keyed' | 'never';

/** `document`: documented; `facts`: seen in public clients; `ours`: unknown, our own default. */
export type PathSource = 'document' | 'facts' | 'ours';

/** A parameter of any type; the types below infer what it reads and writes. */
export type AnyParameter = Omit<Parameter<never>, 'parse' | 'format' | 'objection'> & {
  readonly parse: (text: string) => unknown;
  readonly objection?: (value: never) => string | undefined;
  readonly format: (value: never) => string;
};
export type ParameterTable = Readonly<Record<string, AnyParameter>>;

export type Operation<
  Name extends string = string,
  P extends ParameterTable = ParameterTable,
  R extends z.ZodType = z.ZodType,
> = {
  readonly name: Name;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Which of the two documents describes it. */
  readonly document: 'exchange' | 'wallet';
  /** Path relative to the base address; `:name` is a path parameter. */
  readonly path: string;
  /** The source of `path`; the venue file can replace an undocumented path. */
  readonly source: PathSource;
  /** Other paths of the operation, with the same path parameters. */
  readonly aliases: readonly string[];
  /**
   * Earlier addresses, which answer as their successor. A path parameter that `path` lacks, such as
   * `:pair`, stands for the parameter of that name.
   */
  readonly earlierPaths: readonly string[];
  /** The encoding of the body for methods other than GET. */
  readonly encoding: 'form' | 'json';
  /** `basic`: key id and secret in every request; `signed`: the X-SVC headers. */
  readonly authentication: 'none' | 'basic' | 'signed';
  readonly permission: Permission;
  readonly repeat: Repeat;
  /** Whether the success answer may also be 204 without a body, which is read as `{}`. */
  readonly emptyAnswer: boolean;
  readonly parameters: P;
  readonly response: R;
  readonly errors: readonly ErrorCode[];
  readonly description: string;
};

type RequiredKeys<P extends ParameterTable> = {
  [K in keyof P]: P[K] extends { readonly required: true } ? K : never;
}[keyof P];
type ValueOf<X> = X extends Parameter<infer T> ? T : never;

/** The parameters of a call: required ones must be given, others may be left out. */
export type ParametersOf<O> =
  O extends Operation<string, infer P, z.ZodType>
    ? { readonly [K in RequiredKeys<P>]: ValueOf<P[K]> } & {
        readonly [K in Exclude<keyof P, RequiredKeys<P>>]?: ValueOf<P[K]> | undefined;
      }
    : never;

/** The decoded response of a call. */
export type ResponseOf<O> =
  O extends Operation<string, ParameterTable, infer R> ? z.output<R> : never;

type Declared =
  | 'document'
  | 'source'
  | 'aliases'
  | 'earlierPaths'
  | 'encoding'
  | 'authentication'
  | 'permission'
  | 'emptyAnswer'
  | 'errors';

/** Declares an operation. Missing members get the most common value; errorsOf adds errors. */
export function operation<
  const Name extends string,
  const P extends ParameterTable,
  R extends z.ZodType,
>(
  declared: Omit<Operation<Name, P, R>, Declared> & Partial<Pick<Operation<Name, P, R>, Declared>>,
): Operation<Name, P, R> {
  const whole: Operation<Name, P, R> = {
    document: 'exchange',
    source: 'document',
    aliases: [],
    earlierPaths: [],
    encoding: 'form',
    authentication: 'basic',
    permission: declared.authentication === 'none' ? 'none' : 'MP_None',
    emptyAnswer: false,
    errors: [],
    ...declared,
  };
  return { ...whole, errors: [...new Set([...whole.errors, ...errorsOf(whole)])] };
}

/** Returns the error codes that follow from the parameters and their encoding. */
function errorsOf({
  encoding,
  method,
  parameters,
}: Pick<Operation, 'encoding' | 'method' | 'parameters'>): readonly ErrorCode[] {
  const isWithBody = method !== 'GET';
  const ofBody: ErrorCode = encoding === 'json' ? 'ErrRequestBodyFormat' : 'ErrInvalidParameters';
  const all = Object.values(parameters);
  const ofParameters = all.flatMap(({ errorCode, missingErrorCode }) => [
    errorCode,
    missingErrorCode,
  ]);
  return [
    ...(isWithBody ? [ofBody] : []),
    ...(all.length === 0 ? [] : (['ErrInvalidArguments'] as const)),
    ...ofParameters.filter((code) => code !== undefined),
  ];
}

/** Returns whether the path is documented. The venue file must not replace such a path. */
export function isPathShown(operation: Pick<Operation, 'source'>): boolean {
  return operation.source === 'document';
}
