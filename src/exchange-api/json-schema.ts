/**
 * The JSON schema of an answer or a stream message, as the documents describe it: what our reading
 * tolerates beyond them (numbers for amounts, null for an empty list) is left out.
 */
import * as z from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Returns the schema of what goes over the wire. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io: 'input',
    // The scalars of the wire say themselves what they are; nothing else is unrepresentable.
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
