/**
 * One operation of the exchange, declared once. The client's typed method, the simulator's route,
 * the permission check and the reference page all come from this declaration.
 */
import type * as z from 'zod';
import type { ErrorCode } from './error-codes.ts';
import type { Parameter } from './parameter.ts';
import type { Permission } from './permissions.ts';

/**
 * How a request may be repeated when its outcome is unknown. `read`: always. `idempotent`: always,
 * the second has no further effect. `keyed`: with the same key only, the exchange refuses a second
 * one. `never`: look first.
 */
export type Repeat = 'read' | 'idempotent' | 'keyed' | 'never';

/** `document`: shown there; `facts`: seen in public clients; `ours`: known to nobody, a default. */
export type PathSource = 'document' | 'facts' | 'ours';

/** A parameter of whatever type; what it reads and writes is found by inference below. */
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
  /** Path below the base address; `:name` stands for a path parameter. */
  readonly path: string;
  /** Where `path` comes from; a path that no document shows may be changed by the venue file. */
  readonly source: PathSource;
  /** Other paths that are answered too, each with the path parameters of `path`. */
  readonly aliases: readonly string[];
  /** How the parameters of a request that is no GET travel, those in the path aside. */
  readonly encoding: 'form' | 'json';
  /** `basic`: key id and secret in every request; `signed`: the X-SVC headers. */
  readonly authentication: 'none' | 'basic' | 'signed';
  readonly permission: Permission;
  readonly repeat: Repeat;
  /** Whether success is answered with 204 and no body; the response then reads as `{}`. */
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

/** What a caller passes: required parameters must be there, the others may be left out. */
export type ParametersOf<O> =
  O extends Operation<string, infer P, z.ZodType>
    ? { readonly [K in RequiredKeys<P>]: ValueOf<P[K]> } & {
        readonly [K in Exclude<keyof P, RequiredKeys<P>>]?: ValueOf<P[K]> | undefined;
      }
    : never;

/** What a caller gets. */
export type ResponseOf<O> =
  O extends Operation<string, ParameterTable, infer R> ? z.output<R> : never;

type Declared =
  | 'document'
  | 'source'
  | 'aliases'
  | 'encoding'
  | 'authentication'
  | 'permission'
  | 'emptyAnswer'
  | 'errors';

/** Declares an operation; what is left out has the commonest value, errors have errorsOf too. */
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
    encoding: 'form',
    authentication: 'basic',
    permission: declared.authentication === 'none' ? 'none' : 'MP_None',
    emptyAnswer: false,
    errors: [],
    ...declared,
  };
  return { ...whole, errors: [...new Set([...whole.errors, ...errorsOf(whole)])] };
}

/** Returns the codes that follow from how the parameters travel and what they are. */
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

/** Returns whether the documents show the path, so that no venue file may change it. */
export function isPathShown(operation: Pick<Operation, 'source'>): boolean {
  return operation.source === 'document';
}
