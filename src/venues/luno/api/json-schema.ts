/**
 * The JSON schema of an answer or a stream message, as documented. It omits what our decoding also
 * accepts, such as numbers for amounts and null for an empty list.
 */
import * as z from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Returns the JSON schema of the wire format. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io: 'input',
    // Only our scalar types are unrepresentable, and they carry their own schema.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const meta: Readonly<Record<string, unknown>> | undefined = z.globalRegistry.get(
        zodSchema as unknown as z.ZodType,
      );
      const node = jsonSchema as Record<string, unknown>;
      const documented = meta?.['documented'];
      if (documented !== undefined) {
        for (const key of Object.keys(node)) delete node[key];
        Object.assign(node, documented);
      }
      if (meta?.['isNullUndocumented'] === true) dropNull(node);
      delete node['documented'];
      delete node['isNullUndocumented'];
    },
  });
  return written;
}

function dropNull(node: Record<string, unknown>): void {
  const [first] = (node['anyOf'] ?? []) as readonly JsonSchema[];
  if (first === undefined) return;
  delete node['anyOf'];
  Object.assign(node, first);
}
