/**
 * Finds forbidden imports in a plugin's own files: modules of Node that do more than compute, and
 * files of Millrace other than its public interface. What its packages import is judged by the run.
 */
import { isBuiltin } from 'node:module';
import { extname, join } from 'node:path';
import type { PluginSource } from './plugin-code.ts';

export type ForbiddenImport = {
  readonly specifier: string;
  readonly file: string;
  readonly line: number;
  readonly why: string;
};

const harmless = new Set(['node:assert', 'node:buffer', 'node:util', 'assert', 'buffer', 'util']);
/** The only file of Millrace that a plugin may import: in JavaScript if this one is. */
const publicFile = join(import.meta.dirname, `../index${extname(import.meta.filename)}`);

/** Returns the forbidden imports, by file and line. */
export function forbiddenImports(sources: readonly PluginSource[]): readonly ForbiddenImport[] {
  return sources.flatMap(({ file, imports, ours }) => [
    ...imports.flatMap(({ specifier = '', line }) =>
      isBuiltin(specifier) && !harmless.has(specifier)
        ? [{ specifier, file, line, why: 'a replay cannot repeat what it does' }]
        : [],
    ),
    ...ours
      .filter((one) => one.file !== publicFile)
      .map(({ specifier, line }) => ({
        ...{ specifier, file, line },
        why: `of Millrace a plugin may import only its public interface, ${publicFile}`,
      })),
  ]);
}
