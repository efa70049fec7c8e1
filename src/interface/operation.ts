/**
 * One operation of the exchange, declared once. The client's typed method, the simulator's route,
 * the permission check and the reference page all come from this declaration.
 */
import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Parameter } from './parameter.ts';
import type { Permission } from './permissions.ts';

/**
 * How a request may be repeated when its outcome is unknown. `read`: always. `idempotent`: always,
 * the second has no further effect. `keyed`: with the same key only, the exchange refuses a second
 * one. `never`: look first.
 */
export type Repeat = 'read' | 'idempotent' | 'keyed' | 'never';

/** A parameter of whatever type; what it reads and writes is found by inference below. */
export type AnyParameter = Omit<Parameter<never>, 'parse' | 'format'> & {
  readonly parse: (text: string) => unknown;
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
  /** Path below the base address; `:name` stands for a path parameter. */
  readonly path: string;
  /** False where the documents do not show the path; the venue file may then change it. */
  readonly pathShown: boolean;
  readonly authentication: 'none' | 'basic';
  readonly permission: Permission;
  readonly repeat: Repeat;
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

type Declared = 'pathShown' | 'authentication' | 'permission' | 'errors';

/** Declares an operation; what is left out has the commonest value. */
export function operation<
  const Name extends string,
  const P extends ParameterTable,
  R extends z.ZodType,
>(
  declared: Omit<Operation<Name, P, R>, Declared> & Partial<Pick<Operation<Name, P, R>, Declared>>,
): Operation<Name, P, R> {
  return {
    pathShown: true,
    authentication: 'basic',
    permission: 'MP_None',
    errors: [],
    ...declared,
  };
}
