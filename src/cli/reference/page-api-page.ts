/** Generates `docs/page-api.md`: the API of the live page, from its declarations. */
import {
  type ApiOperation,
  apiRoot,
  commandTokenHeader,
  requestHeader,
} from '../../dashboard/api/api-operation.ts';
import { apiOperations } from '../../dashboard/api/api-operations.ts';
import { pageApiDocument } from '../../dashboard/api/page-openapi.ts';

type Schema = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema & { readonly default?: unknown; readonly minimum?: number };
};

const head = [
  '# The API of the live page',
  '',
  'Generated from the declarations that the server answers by; a test compares its answers with them. `GET openapi.json` is the same as an OpenAPI document.',
  'The page uses nothing else, so a script can do what the page does. Nothing here places an order or changes a limit.',
  '',
  '`dashboard: on` in the settings serves the page and this API on this machine, and the start prints the address. The tokens are files in `page/` of the',
  "bot's home that only you can read: `BOT.view-token` to look, and `BOT.command-token` for commands. A script sends the first as a bearer token:",
  '',
  '```sh',
  'TOKEN=$(cat .millrace/page/demo.view-token)',
  `PAGE=http://127.0.0.1:7410${apiRoot}`,
  'curl -H "Authorization: Bearer $TOKEN" "$PAGE/bots"',
  '```',
  '',
  'A bot is named in paths by its `id` in that list. Amounts and prices are decimal text and exact; numbers in columns are only drawn. Times are',
  'milliseconds since 1970 UTC.',
  `Every POST needs \`Content-Type: application/json\` and the header \`${requestHeader}\`. What is wrong is answered with 400, 401, 403, 404, 405, 413,`,
  '415, 429 or 503 and',
  '`{"error": {"code": …, "text": …}}`.',
  '',
];

export function pageApiPage(): string {
  const operations = Object.entries<ApiOperation>(apiOperations);
  return `${[...head, ...operations.flatMap(([name, one]) => sectionOf(name, one))].join('\n')}`;
}

function sectionOf(name: string, operation: ApiOperation): readonly string[] {
  const { method, path, summary } = operation;
  const { parameters, requestBody, responses } = documented(operation);
  const asked = parameters.filter(({ in: place }) => place === 'query');
  const body = requestBody?.content['application/json'].schema;
  return [
    `## ${method} ${path}`,
    '',
    summary,
    '',
    '```sh',
    exampleOf(operation),
    '```',
    '',
    ...(asked.length === 0 ? [] : [...asked.map(parameterLine), '']),
    ...(body === undefined ? [] : ['Body:', '', ...fieldLines(body), '']),
    ...answerLines(name, responses['200'].content),
  ];
}

type Documented = {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
  readonly responses: {
    readonly '200': { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  };
};

function documented({ method, path }: ApiOperation): Documented {
  const { paths } = pageApiDocument() as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  };
  return paths[path]?.[method.toLowerCase()] as Documented;
}

function exampleOf({ method, path, access, example, body, events }: ApiOperation): string {
  const at = path.replace('{bot}', '$BOT').replace('{intentId}', '1');
  const query = new URLSearchParams(
    Object.entries(body === undefined ? (example ?? {}) : {}).map(([key, value]) => [
      key,
      String(value),
    ]),
  );
  const url = `"$PAGE${at}${query.size === 0 ? '' : `?${query}`}"`;
  const parts = [
    `curl${events === undefined ? '' : ' -N'}`,
    ...(access === 'none' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(access === 'command' ? [`-H "${commandTokenHeader}: $COMMAND_TOKEN"`] : []),
    ...(method === 'GET'
      ? []
      : [
          `-H "${requestHeader}: 1" -H "Content-Type: application/json"`,
          `-d '${JSON.stringify(example)}'`,
        ]),
  ];
  return `${parts.join(' ')} ${url}`;
}

function parameterLine({ name, required, description, schema }: Parameter): string {
  const fallback = schema.default === undefined ? '' : `, ${String(schema.default)} if left out`;
  const text = description === undefined ? '' : `: ${description}`;
  return `- \`${name}\` (${typeOf(schema)}${required ? ', required' : fallback})${text}`;
}

function answerLines(name: string, content: Documented['responses']['200']['content']) {
  const json = content['application/json']?.schema;
  if (json !== undefined) {
    const lines = fieldLines(json);
    return lines.length === 0 ? [] : ['Answer:', '', ...lines, ''];
  }
  const events = Object.keys((apiOperations as Record<string, ApiOperation>)[name]?.events ?? {});
  const schemas = content['text/event-stream']?.schema.oneOf ?? [];
  return events.flatMap((event, index) => {
    const schema = schemas[index];
    // The status is described in the answer of `status`.
    const lines = event === 'status' || schema === undefined ? [] : fieldLines(schema);
    return [`Event \`${event}\`${lines.length === 0 ? ': see `status`.' : ':'}`, '', ...lines, ''];
  });
}

/** Lines of the members of an object, nested as a list. */
function fieldLines(schema: Schema, indent = ''): readonly string[] {
  const object = objectIn(schema);
  return Object.entries(object?.properties ?? {}).flatMap(([name, value]) => {
    const text = value.description === undefined ? '' : `: ${value.description}`;
    return [
      `${indent}- \`${name}\` (${typeOf(value)})${text}`,
      ...fieldLines(value, `${indent}  `),
    ];
  });
}

/** The object that a schema is, may be, or has a list of. */
function objectIn(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return objectIn(schema.items);
  return schema.anyOf?.map(objectIn).find((one) => one !== undefined);
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(String).join(', ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (schema.type === 'string') return 'text';
  if (schema.type === 'integer') return 'whole number';
  return String(schema.type ?? 'any value');
}
