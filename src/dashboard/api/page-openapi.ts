/** The API as an OpenAPI document, made of its declarations. */
import * as z from 'zod';
import { type ApiOperation, apiRoot, commandTokenHeader, requestHeader } from './api-operation.ts';
import { apiOperations } from './api-operations.ts';
import { problemAnswer } from './bot-answers.ts';

type JsonObject = { readonly [key: string]: unknown };

let made: JsonObject | undefined;

/** Returns the document, which is made once. */
export function pageApiDocument(): JsonObject {
  made ??= {
    openapi: '3.1.0',
    info: {
      title: 'The page of a Millrace bot',
      version: '1',
      description:
        'Amounts and prices are decimal text; numbers in columns are only drawn. Times are milliseconds since 1970 UTC.',
    },
    servers: [{ url: apiRoot }],
    paths: pathsOf(),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The view token of its file.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'millrace-BOT',
          description:
            'Set by POST session; its name ends with the id of the bot that serves the page.',
        },
      },
    },
  };
  return made;
}

function pathsOf(): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries<ApiOperation>(apiOperations)) {
    paths[operation.path] ??= {};
    (paths[operation.path] as Record<string, unknown>)[operation.method.toLowerCase()] =
      operationOf(name, operation);
  }
  return paths;
}

function operationOf(name: string, operation: ApiOperation): JsonObject {
  const { summary, body, access } = operation;
  return {
    operationId: name,
    summary,
    security: access === 'none' ? [] : [{ cookie: [] }, { token: [] }],
    parameters: parametersOf(operation),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonOf(schemaOf(body, 'input')) } }),
    responses: {
      '200': { description: 'The answer.', content: contentOf(operation) },
      default: { description: 'What is wrong.', content: jsonOf(schemaOf(problemAnswer)) },
    },
  };
}

function contentOf({ answer, events }: ApiOperation): JsonObject {
  if (answer !== undefined) return jsonOf(schemaOf(answer));
  const all = Object.entries(events ?? {}).map(([event, data]) => ({
    title: event,
    ...schemaOf(data),
  }));
  return {
    'text/event-stream': { schema: { description: 'The data of the events.', oneOf: all } },
  };
}

function parametersOf({ path, query, method, access }: ApiOperation): readonly JsonObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, value]) => {
    const { description, ...schema } = schemaOf(value as z.ZodType, 'input');
    const required = !(value as z.ZodType).safeParse(undefined).success;
    return { name, in: 'query', required, ...(description ? { description } : {}), schema };
  });
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return [
    ...inPath,
    ...inQuery,
    ...(method === 'POST' ? [header(requestHeader, 'Any value, such as 1.')] : []),
    ...(access === 'command' ? [header(commandTokenHeader, 'The command token of the bot.')] : []),
  ];
}

function jsonOf(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

/** Numbers in a query arrive as text, and the schema says what they must be. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonObject {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return written;
}
