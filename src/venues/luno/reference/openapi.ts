/**
 * Generates an OpenAPI 3.1 document of the interface from the declarations.
 *
 * Members that begin with `x-` contain what OpenAPI cannot express: permissions, the source of a
 * path, error codes, limits and changes.
 */
import { changeList, interfaceVersion } from '../api/change-list.ts';
import { type ErrorCode, errorCodes, streamErrorCodes } from '../api/error-codes.ts';
import { type JsonSchema, jsonSchemaOf } from '../api/json-schema.ts';
import { limitRows } from '../api/limits-table.ts';
import { marketStreamPath } from '../api/market-messages.ts';
import { notShown } from '../api/not-shown.ts';
import type { AnyParameter, Operation } from '../api/operation.ts';
import { permissions, undocumentedPermissions } from '../api/permissions.ts';
import { userStreamPath } from '../api/user-messages.ts';
import { declaredOperations } from './declared-operations.ts';

export function openApiDocument(): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Exchange interface as implemented by Millrace',
      version: interfaceVersion,
      description:
        'Every operation that the client can call and the simulator answers. Generated from the ' +
        'declarations in src/venues/luno/api.',
    },
    servers: [{ url: 'https://{host}', variables: { host: { default: 'localhost:7400' } } }],
    tags: [
      { name: 'exchange', description: 'The exchange document: forms, HTTP basic authentication.' },
      { name: 'wallet', description: 'The wallet document: JSON bodies, signed requests.' },
    ],
    paths: pathsOf(declaredOperations),
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Key id and key secret.' },
        key: { type: 'apiKey', in: 'header', name: 'X-SVC-KEY' },
        signature: { type: 'apiKey', in: 'header', name: 'X-SVC-SIGNATURE' },
        timestamp: { type: 'apiKey', in: 'header', name: 'X-SVC-TIMESTAMP' },
      },
      schemas: {
        ExchangeError: errorSchema('error', 'error_code', 'exchange'),
        WalletError: errorSchema('message', 'errorCode', 'wallet'),
      },
    },
    'x-streams': { market: marketStreamPath, user: userStreamPath },
    'x-errors': errorCodes,
    'x-stream-errors': streamErrorCodes,
    'x-permissions': {
      ...permissions,
      ...undocumentedPermissions,
      none: 'our own value: the operation needs no key and ignores credentials',
    },
    'x-limits': limitRows,
    'x-changes': changeList,
    'x-not-shown': notShown,
  };
}

/** Members that only errors of the exchange document have. */
const exchangeErrorMembers = {
  fields: { type: 'array', items: { type: 'string' } },
  error_action: { type: 'object' },
  message: { type: 'string' },
} as const;

function errorSchema(text: string, code: string, document: 'exchange' | 'wallet'): JsonSchema {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter((one) => {
    const { documents } = errorCodes[one];
    return documents.includes(document) || (document === 'exchange' && documents.includes('facts'));
  });
  return {
    type: 'object',
    properties: {
      [code]: { type: 'string', enum: codes },
      [text]: { type: 'string' },
      ...(document === 'exchange' ? exchangeErrorMembers : {}),
    },
    required: [code, text],
  };
}

function pathsOf(all: readonly Operation[]): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of all)
    for (const [index, path] of [operation.path, ...operation.aliases].entries()) {
      const template = templateOf(path);
      const method = operation.method.toLowerCase();
      paths[template] = { ...paths[template], [method]: operationOf(operation, index) };
    }
  return paths;
}

/** Converts `:id` of a declaration to `{id}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/gu, '{$1}');
}

function operationOf(operation: Operation, alias: number): JsonSchema {
  const parameters = Object.entries(operation.parameters);
  const isInBody = ({ in: place }: AnyParameter): boolean =>
    operation.method !== 'GET' && place !== 'path';
  const body = parameters.filter(([, parameter]) => isInBody(parameter));
  return {
    operationId: alias === 0 ? operation.name : `${operation.name}_${alias}`,
    tags: [operation.document],
    summary: operation.description,
    'x-permission': operation.permission,
    'x-path-source': alias === 0 ? operation.source : 'alias',
    'x-repeat': operation.repeat,
    'x-errors': operation.errors,
    security: securityOf(operation),
    parameters: parameters
      .filter(([, parameter]) => !isInBody(parameter))
      .map(([name, parameter]) => ({
        name,
        in: parameter.in === 'path' ? 'path' : 'query',
        required: parameter.required,
        description: parameter.description,
        schema: schemaOf(parameter),
        ...(parameter.repeated ? { style: 'form', explode: true } : {}),
      })),
    ...(body.length === 0 ? {} : { requestBody: requestBodyOf(operation, body) }),
    responses: responsesOf(operation),
  };
}

function securityOf(operation: Operation): readonly JsonSchema[] {
  if (operation.authentication === 'none') return [];
  if (operation.authentication === 'basic') return [{ basic: [] }];
  return [{ key: [], signature: [], timestamp: [] }];
}

function schemaOf(parameter: AnyParameter): JsonSchema {
  return parameter.repeated ? { type: 'array', items: parameter.schema } : parameter.schema;
}

function requestBodyOf(
  operation: Operation,
  body: readonly (readonly [string, AnyParameter])[],
): JsonSchema {
  const required = body.filter(([, parameter]) => parameter.required).map(([name]) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      body.map(([name, parameter]) => [
        name,
        { ...schemaOf(parameter), description: parameter.description },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
  const type =
    operation.encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  return { required: required.length > 0, content: { [type]: { schema } } };
}

function responsesOf(operation: Operation): JsonSchema {
  const responses: Record<string, JsonSchema> = {
    200: successOf(operation),
    ...(operation.emptyAnswer ? { 204: { description: 'Success, without a body.' } } : {}),
  };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of operation.errors) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const schema = operation.document === 'wallet' ? 'WalletError' : 'ExchangeError';
  for (const [status, codes] of byStatus)
    responses[status] = {
      description: codes.map((code) => `${code}: ${errorCodes[code].meaning}`).join('\n'),
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    };
  if (operation.authentication !== 'none') {
    responses[401] ??= { description: 'The key is missing, wrong or revoked.' };
    responses[403] ??= { description: `The key lacks ${operation.permission}.` };
    responses[429] ??= { description: 'Too many calls.' };
  }
  return responses;
}

function successOf(operation: Operation): JsonSchema {
  const schema = jsonSchemaOf(operation.response);
  return { description: 'Success.', content: { 'application/json': { schema } } };
}
