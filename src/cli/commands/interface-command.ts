/**
 * `millrace interface`: lists every operation of client and simulator as a table or JSON, or writes
 * the generated files: the reference, the OpenAPI document, the APIs of strategies and of the page,
 * and the JSON Schemas.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Workspace } from '../../domain/workspace.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { moduleEnding } from '../../runtime/module-ending.ts';
import { schemaKinds, settingsSchema } from '../../settings/settings-schema.ts';
import { writeTextAtomically } from '../../terminal/atomic-file.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import type { Operation } from '../../venues/luno/api/operation.ts';
import { declaredOperations } from '../../venues/luno/reference/declared-operations.ts';
import { openApiDocument } from '../../venues/luno/reference/openapi.ts';
import { referencePage } from '../../venues/luno/reference/reference-page.ts';
import { pageApiPage } from '../reference/page-api-page.ts';
import { strategyPage } from '../reference/strategy-page.ts';

/** Prints the operations, or writes the pages to the folder `write`; returns the exit code. */
export function runInterface(options: {
  readonly write: string | undefined;
  readonly workspace: Workspace;
  readonly output: Output;
}): number {
  const { output, write, workspace } = options;
  if (write !== undefined) {
    const files = Object.entries(referenceFiles(workspace));
    for (const [name, text] of files) {
      makeFolder(dirname(join(write, name)));
      writeTextAtomically(join(write, name), text);
    }
    output.result(
      { written: files.map(([name]) => join(write, name)) },
      files.map(([name]) => `wrote ${join(write, name)}`),
    );
    return exitCodes.ok;
  }
  output.result(declaredOperations.map(rowOf), tableOf(declaredOperations));
  return exitCodes.ok;
}

/** The JSON Schemas of the settings files are in this folder of the generated files. */
const schemaFolder = 'schema';

/** Returns the generated files by their path in the folder. */
function referenceFiles({ root }: Pick<Workspace, 'root'>): Readonly<Record<string, string>> {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  return {
    'reference.md': referencePage(),
    'openapi.json': jsonOf(openApiDocument()),
    'page-api.md': pageApiPage(),
    // The package has no sources that the page could be made of, but the page itself.
    'strategy-api.md': moduleEnding === '.ts' ? strategyPage(read) : read('docs/strategy-api.md'),
    ...Object.fromEntries(
      schemaKinds.map((kind) => [`${schemaFolder}/${kind}.json`, jsonOf(settingsSchema(kind))]),
    ),
  };
}

function jsonOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Returns the JSON of an operation. `client` and `simulator` are always true: an operation that
 * lacks a client method or a simulator handler does not compile.
 */
function rowOf(operation: Operation) {
  const { name, document, method, path, aliases, permission, source } = operation;
  return {
    name,
    document,
    method,
    path,
    aliases,
    permission,
    client: true,
    simulator: true,
    source,
  };
}

function tableOf(all: readonly Operation[]): readonly string[] {
  const rows = [
    ['operation', 'document', 'method', 'path', 'permission', 'path from'],
    ...all.map((one) => [
      one.name,
      one.document,
      one.method,
      [one.path, ...one.aliases].join(' '),
      one.permission,
      one.source,
    ]),
  ];
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
