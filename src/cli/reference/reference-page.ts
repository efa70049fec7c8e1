/** The reference of the interface as a page in Markdown, made of the declarations alone. */
import { changeList, interfaceVersion } from '../../exchange-api/change-list.ts';
import { type ErrorCode, errorCodes, streamErrorCodes } from '../../exchange-api/error-codes.ts';
import { type JsonSchema, jsonSchemaOf } from '../../exchange-api/json-schema.ts';
import { limitRevisions, limits } from '../../exchange-api/limits.ts';
import { earlierRequestLimits, limitRows } from '../../exchange-api/limits-table.ts';
import {
  marketSnapshot,
  marketStreamPath,
  marketUpdate,
} from '../../exchange-api/market-messages.ts';
import { notShown } from '../../exchange-api/not-shown.ts';
import type { AnyParameter, Operation } from '../../exchange-api/operation.ts';
import {
  keyTemplates,
  permissions,
  undocumentedPermissions,
} from '../../exchange-api/permissions.ts';
import { userMessage, userStreamPath } from '../../exchange-api/user-messages.ts';
import { declaredOperations } from './declared-operations.ts';

const sources = {
  document: 'shown by the document',
  facts: 'known from public clients; may be changed in the venue file',
  ours: 'ours, since nobody shows one; may be changed in the venue file',
} as const;

const causes = {
  operation: 'a request',
  control: 'a state of the world',
  none: '`fail-next` only',
} as const;

/** Returns the page. */
export function referencePage(): string {
  const all = declaredOperations;
  return `${[
    '# Reference of the interface',
    'Written by `millrace interface --write docs`. Do not edit: it says what `src/exchange-api` ' +
      'declares, and a test compares the two.',
    `Interface version ${interfaceVersion}, ${all.length} operations.`,
    ...section('exchange', 'Exchange document', all),
    ...section('wallet', 'Wallet document', all),
    '## Streams',
    ...streams(),
    '## Errors',
    'How the simulator comes to answer with each code, and which operations declare it. A key that ' +
      'is missing, unknown or revoked, one that may not do this, and too many calls are refused ' +
      'everywhere and declared nowhere.',
    table(
      ['Code', 'Status', 'Meaning', 'Written in', 'Caused by', 'Refuses'],
      (Object.keys(errorCodes) as ErrorCode[]).sort(inOrder).map((code) => {
        const { status, meaning, documents, cause } = errorCodes[code];
        const refused = all.filter((operation) => operation.errors.includes(code));
        const names = refused.map((operation) => operation.name).join(', ');
        return [code, String(status), meaning, documents.join(', '), causes[cause], names];
      }),
    ),
    'On the streams:',
    table(['Code', 'Meaning'], Object.entries(streamErrorCodes)),
    '## Permissions',
    'An operation with the permission `none`, our word, needs no key: credentials are not looked at.',
    table(
      ['Permission', 'Value', 'Meaning'],
      [
        ...Object.entries(permissions).map(([name, one]) => [name, String(one.value), one.meaning]),
        ...Object.entries(undocumentedPermissions).map(([name, text]) => [name, 'not shown', text]),
      ],
    ),
    'Sets of permissions by name:',
    table(
      ['Set', 'Value'],
      Object.entries(keyTemplates).map(([name, value]) => [name, String(value)]),
    ),
    '## Limits',
    table(
      ['Limit', 'Document', 'As written', 'Figures'],
      limitRows.map((row) => [
        row.name,
        row.document,
        row.text,
        row.figures.map((name) => `${name} ${limits[name]}`).join(', '),
      ]),
    ),
    `Earlier revisions of the exchange document stated: ${earlierRequestLimits.text}. ` +
      '`millrace exchange --limits earlier` has them, with 4 accounts a currency and order ids of ' +
      '255 characters; `--limits long-order-ids` has the ids alone.',
    'All keys of a customer share one request limit. No document limits market data now; the ' +
      `simulator has the ${limitRevisions.current.publicRequests.max} calls a second of one address ` +
      'that the headers of real answers were seen to say.',
    '## Not shown',
    'What the documents name without showing how it works, and what we do about it:',
    table(
      ['Document', 'What', 'Here'],
      notShown.map((one) => [one.document, one.name, one.here]),
    ),
    '## Changes',
    table(
      ['When', 'What', 'Operations'],
      changeList.map((one) => [one.date, one.change, one.operations.join(', ')]),
    ),
  ].join('\n\n')}\n`;
}

function section(
  document: Operation['document'],
  title: string,
  all: readonly Operation[],
): readonly string[] {
  const own = all.filter((operation) => operation.document === document);
  return [
    `## ${title}`,
    table(
      ['Operation', 'Request', 'Permission'],
      own.map((one) => [one.name, `${one.method} ${one.path}`, permissionOf(one)]),
    ),
    ...own.flatMap(chapter),
  ];
}

function permissionOf(operation: Operation): string {
  return operation.permission === 'none' ? '`none`' : operation.permission;
}

function chapter(operation: Operation): readonly string[] {
  const parameters = Object.entries(operation.parameters);
  return [
    `### ${operation.name}`,
    `\`${operation.method} ${operation.path}\` – ${permissionOf(operation)}; path ` +
      `${sources[operation.source]}.` +
      (operation.aliases.length === 0 ? '' : ` Also at ${operation.aliases.join(', ')}.`),
    operation.description,
    ...(parameters.length === 0
      ? []
      : [
          table(
            ['Parameter', 'In', 'Type', 'Meaning'],
            parameters.map(([name, parameter]) => [
              parameter.required ? `**${name}**` : name,
              placeOf(operation, parameter),
              typeOf(parameter),
              parameter.description,
            ]),
          ),
        ]),
    ...(operation.emptyAnswer
      ? ['Answer: 204, no body.']
      : answer(jsonSchemaOf(operation.response))),
    ...(operation.errors.length === 0
      ? []
      : [`Refusals: ${operation.errors.map((code) => `\`${code}\``).join(', ')}.`]),
  ];
}

function placeOf(operation: Operation, parameter: AnyParameter): string {
  if (parameter.in === 'path') return 'path';
  return operation.method === 'GET' ? 'query' : operation.encoding;
}

function typeOf(parameter: AnyParameter): string {
  const type = typeText(parameter.schema);
  return parameter.repeated ? `list of ${type}` : type;
}

function typeText(schema: JsonSchema): string {
  const values = schema['enum'] ?? schema['examples'];
  if (Array.isArray(values)) return values.join(', ');
  const range =
    'minimum' in schema && 'maximum' in schema
      ? ` ${String(schema['minimum'])} to ${String(schema['maximum'])}`
      : '';
  const type = [schema['type']].flat().filter((one) => one !== 'null');
  return `${String(schema['format'] ?? type.join(' or '))}${range}`;
}

function streams(): readonly string[] {
  return [
    `### Market stream\n\n\`${marketStreamPath}\`. The client's first frame is its credentials, or ` +
      '`{}`, which was seen to be accepted here. The answer to it:',
    ...answer(jsonSchemaOf(marketSnapshot)).slice(1),
    'Every later frame:',
    ...answer(jsonSchemaOf(marketUpdate)).slice(1),
    `### User stream\n\n\`${userStreamPath}\`. Every frame after the credentials:`,
    ...answer(jsonSchemaOf(userMessage)).slice(1),
  ];
}

function answer(schema: JsonSchema): readonly string[] {
  const rows = membersOf(schema, '');
  return rows.length === 0 ? [] : ['Answer:', table(['Member', 'Type'], rows)];
}

/** One row a member, those of lists and objects below their owner. */
function membersOf(schema: JsonSchema, prefix: string): readonly (readonly string[])[] {
  const node = withoutNull(schema);
  const { properties, items } = node as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly items?: JsonSchema;
  };
  if (items !== undefined) return membersOf(items, `${prefix}[]`);
  const required = (node['required'] ?? []) as readonly string[];
  return Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const inner = membersOf(member, path);
    const type = typeText(withoutNull(member));
    return [[path, required.includes(name) ? type : `${type}, optional`], ...inner];
  });
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const choices = schema['anyOf'] as readonly JsonSchema[] | undefined;
  return choices?.find((one) => one['type'] !== 'null') ?? schema;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function inOrder(first: string, second: string): number {
  return first < second ? -1 : 1;
}
