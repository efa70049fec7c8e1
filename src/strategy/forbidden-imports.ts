/**
 * Finds forbidden imports in a strategy's source: modules that do more than compute, and files of
 * Millrace other than its public interface.
 */
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { pluginTexts } from './plugin-texts.ts';

export type ForbiddenImport = {
  readonly specifier: string;
  readonly file: string;
  readonly line: number;
  readonly why: string;
};

/** The allowed packages: they only compute. */
const packages = new Set(['decimal.js', 'rxjs', 'zod']);
const harmless = new Set(['node:assert', 'node:buffer', 'node:util', 'assert', 'buffer', 'util']);
const importing = /(?:\bfrom|\bimport|\brequire|\bgetBuiltinModule)\s*\(?\s*(['"`])([^'"`\n]+)\1/gu;

/**
 * Returns the forbidden imports of all files in the strategy's `folder`; `publicFile` is the only
 * file of Millrace that a strategy may import.
 */
export async function forbiddenImports(
  folder: string,
  publicFile: string,
): Promise<readonly ForbiddenImport[]> {
  const found: ForbiddenImport[] = [];
  for (const { file, text } of await pluginTexts(folder)) {
    for (const match of text.matchAll(importing)) {
      const specifier = match[2] as string;
      const why = whyForbidden(specifier, { file, folder, publicFile });
      if (why === undefined) continue;
      found.push({ specifier, file, line: text.slice(0, match.index).split('\n').length, why });
    }
  }
  return found;
}

function whyForbidden(
  specifier: string,
  at: { readonly file: string; readonly folder: string; readonly publicFile: string },
): string | undefined {
  const ours = relative(dirname(at.file), at.publicFile).split(sep).join('/');
  if (specifier.startsWith('.') || specifier.startsWith('/')) {
    const target = resolve(dirname(at.file), specifier);
    const isInside = !relative(at.folder, target).startsWith(`..${sep}`);
    if (isInside || target === at.publicFile) return undefined;
    return `a strategy may import only files of its own folder and Millrace's public interface, ${ours}`;
  }
  if (isBuiltin(specifier))
    return harmless.has(specifier) ? undefined : 'a replay cannot repeat what it does';
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return packages.has(name)
    ? undefined
    : `the package is not allowed; allowed are ${[...packages].join(', ')}, and Millrace's public interface, ${ours}`;
}
