/** The golden samples in test/fixtures/wire, written by hand from the documents. */
import { readFileSync } from 'node:fs';
import { type OperationName, operations } from '../../../../../src/venues/luno/api/operations.ts';

export type OperationSample = {
  readonly operation: OperationName;
  readonly signed: boolean;
  readonly requests: readonly {
    readonly name: string;
    readonly parameters: never;
    readonly method: string;
    /** Path and query. */
    readonly target: string;
    readonly form: string | null;
    /** The body, for operations whose parameters travel as JSON. */
    readonly json?: string;
  }[];
  readonly responses: readonly {
    readonly name: string;
    /** False for what real servers do besides the documents: it is read, never written. */
    readonly documented: boolean;
    readonly text: string;
    readonly value: unknown;
  }[];
};

export type FrameSamples = {
  readonly frames: readonly {
    readonly name: string;
    readonly documented: boolean;
    readonly text: string;
    readonly message: { readonly kind: string };
  }[];
};

export type ErrorSamples = {
  readonly answers: readonly {
    readonly name: string;
    readonly status: number;
    readonly type: string;
    readonly text: string;
    readonly reply: { readonly kind: string };
  }[];
};

export type RealClientSamples = {
  readonly requests: readonly {
    readonly name: string;
    readonly operation: OperationName;
    readonly path?: Readonly<Record<string, string>>;
    readonly text: string;
    readonly values: unknown;
  }[];
};

/** Returns one file of samples, by its name without `.json`. */
export function readSamples<T>(name: string): T {
  const file = new URL(`../../../../fixtures/wire/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

export const operationNames = Object.keys(operations) as OperationName[];

/** Every operation has samples; a new one without them fails here. */
export function readOperationSamples(): readonly OperationSample[] {
  return operationNames.map((name) => readSamples<OperationSample>(name));
}
