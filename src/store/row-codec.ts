/**
 * Converts the rows of one table between domain values and SQLite values, and checks each field.
 * The memory store of the tests uses the same checks.
 *
 * Invariants: nothing is rounded or repaired; a value that does not fit its field is an error;
 * 64-bit numbers are read as text.
 */
import { isPlainDecimal } from '../domain/money.ts';

/** The values that a field may have; a list gives the allowed texts. */
export type FieldKind =
  | 'text'
  | 'text?'
  | 'integer'
  | 'integer?'
  | 'boolean'
  | 'amount'
  | 'amount?'
  | 'json'
  | 'sequence'
  | 'sequence?'
  | readonly string[];

export type Shape<Row> = { readonly [Field in keyof Row]-?: FieldKind };

export type SqlValue = string | number | null;

export type RowCodec<Row> = {
  /** Column names in the order of {@link encode}, quoted and separated by commas. */
  readonly columns: string;
  /** One question mark for each column. */
  readonly places: string;
  readonly names: readonly string[];
  /** Returns the select list whose rows {@link decode} reads; `table` qualifies the columns. */
  select(table?: string): string;
  /** Throws RangeError that names the field if a field has a value that is not allowed. */
  check(row: Row): void;
  /**
   * Returns the values to bind. Throws RangeError as {@link check} does, except that the database
   * itself checks JSON.
   */
  encode(row: Row): SqlValue[];
  /** As {@link encode}, for the field at `index` of {@link names}. */
  encodeField(row: Row, index: number): SqlValue;
  /** Throws RangeError that names the field for an integer that cannot be read exactly. */
  decode(found: unknown): Row;
  /** Returns the indexes in {@link names} of the fields that differ. */
  differences(a: Row, b: Row): readonly number[];
};

const int64Max = 9_223_372_036_854_775_807n;
const sequencePattern = /^(?:0|[1-9]\d{0,18})$/u;

/** Creates the codec of `shape`; columns are the fields in snake case. `name` appears in errors. */
export function createRowCodec<Row>(name: string, shape: Shape<Row>): RowCodec<Row> {
  const fields = Object.entries<FieldKind>(shape as Record<string, FieldKind>);
  const keys = fields.map(([field]) => field as keyof Row);
  const kinds = fields.map(([, kind]) => kind);
  const names = fields.map(([field]) => snakeCaseOf(field));

  // An object that gets its fields one by one becomes a hash table, five times as large, and a
  // restart holds tens of thousands of rows. Copies of a parsed object share one hidden class.
  const blank = JSON.parse(
    JSON.stringify(Object.fromEntries(fields.map(([field]) => [field, null]))),
  );

  function refuse(index: number, value: unknown): never {
    const wanted = describe(kinds[index] as FieldKind);
    throw new RangeError(`${name}.${String(keys[index])} must be ${wanted}, was ${print(value)}`);
  }

  function encodeField(row: Row, index: number): SqlValue {
    const kind = kinds[index] as FieldKind;
    const value = row[keys[index] as keyof Row];
    if (!fits(value, kind === 'json' ? 'text' : kind)) refuse(index, value);
    if (kind === 'boolean') return value ? 1 : 0;
    return (value ?? null) as SqlValue;
  }

  return {
    names,
    columns: names.map((column) => `"${column}"`).join(', '),
    places: names.map(() => '?').join(', '),
    check(row) {
      for (let index = 0; index < keys.length; index++) {
        const value = row[keys[index] as keyof Row];
        if (!fits(value, kinds[index] as FieldKind)) refuse(index, value);
      }
    },
    encodeField,
    select(table) {
      return fields
        .map(([field, kind]) => {
          const column = `${table === undefined ? '' : `${table}.`}"${snakeCaseOf(field)}"`;
          const isSequence = kind === 'sequence' || kind === 'sequence?';
          return `${isSequence ? `CAST(${column} AS TEXT)` : column} AS "${field}"`;
        })
        .join(', ');
    },
    encode(row) {
      const values: SqlValue[] = [];
      for (let index = 0; index < keys.length; index++) values.push(encodeField(row, index));
      return values;
    },
    decode(found) {
      const row: Record<string, unknown> = { ...blank };
      for (const [field, kind] of fields) {
        const value = (found as Record<string, SqlValue>)[field];
        // SQLite has 64-bit integers; the driver has rounded one that a number cannot hold.
        if (typeof value === 'number' && !Number.isSafeInteger(value))
          throw new RangeError(`${name}.${field} is beyond 2^53 in the database: about ${value}`);
        row[field] = kind === 'boolean' ? value === 1 : (value ?? undefined);
      }
      return row as Row;
    },
    differences(a, b) {
      const found: number[] = [];
      for (let index = 0; index < keys.length; index++) {
        const key = keys[index] as keyof Row;
        if (a[key] !== b[key]) found.push(index);
      }
      return found;
    },
  };
}

function snakeCaseOf(field: string): string {
  return field.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

function fits(value: unknown, kind: FieldKind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'text?':
      return value === undefined || typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'integer?':
      return value === undefined || Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'amount':
      return typeof value === 'string' && isPlainDecimal(value);
    case 'amount?':
      return value === undefined || (typeof value === 'string' && isPlainDecimal(value));
    case 'json':
      return typeof value === 'string' && isJson(value);
    case 'sequence':
      return isSequence(value);
    case 'sequence?':
      return value === undefined || isSequence(value);
    default:
      return typeof value === 'string' && kind.includes(value);
  }
}

function isSequence(value: unknown): boolean {
  return typeof value === 'string' && sequencePattern.test(value) && BigInt(value) <= int64Max;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function describe(kind: FieldKind): string {
  switch (kind) {
    case 'text':
    case 'text?':
      return 'text';
    case 'integer':
    case 'integer?':
      return 'a safe integer';
    case 'boolean':
      return 'true or false';
    case 'amount':
    case 'amount?':
      return 'a plain decimal';
    case 'json':
      return 'JSON';
    case 'sequence':
    case 'sequence?':
      return 'an integer from 0 to 2^63-1 as text';
    default:
      return `one of ${kind.join(', ')}`;
  }
}

function print(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
