/**
 * What of the tree outside `src/venues` knows a venue: files that import its folders, and names of
 * its wire in their code.
 */
import { openApiDocument } from '../../src/venues/luno/reference/openapi.ts';
import { importsOf } from './imports.ts';
import { codeOf, type SourceFile } from './source-files.ts';

/** How many there were when the bounds were set. They only come down, to the list of venues. */
export const venueImportsOutsideMax = 0;
export const wireNamesOutsideMax = 0;

/** The schemas of these are our own, and use some of the same words. */
const ownSchemas = /^src\/(?:venues|store|recording\/(?:import|export))\//u;

/** Files that are about Luno's interface or its simulated exchange, or list the venues. */
const aboutTheExchange: ReadonlySet<string> = new Set([
  'src/venues.ts',
  // Which profiles a scenario can name: data, and nothing of a wire.
  'src/settings/profile-field.ts',
  'src/cli/commands/exchange-command.ts',
  'src/cli/commands/interface-command.ts',
  // The simulated exchange for users' tests: what its users, orders and commands are.
  'src/testing.ts',
  'src/testing/exchange/exchange-options.ts',
  'src/testing/exchange/exchange-server.ts',
  'src/testing/exchange/start-exchange.ts',
]);

/** Returns the other files outside `src/venues` that import one of its files. */
export function venueImportsOutside(sources: readonly SourceFile[]): string[] {
  return sources
    .filter(({ file }) => file.startsWith('src/') && !file.startsWith('src/venues/'))
    .filter(({ file }) => !aboutTheExchange.has(file))
    .filter(importsVenue)
    .map(({ file }) => file);
}

function importsVenue(source: SourceFile): boolean {
  return importsOf(source).some(({ target }) => target?.startsWith('src/venues/') === true);
}

/** Returns the excepted files that import no venue. */
export function unusedVenueExceptions(sources: readonly SourceFile[]): string[] {
  const importing = new Set(sources.filter(importsVenue).map(({ file }) => file));
  return [...aboutTheExchange]
    .filter((file) => !importing.has(file))
    .map((file) => `${file} imports no venue: remove the exception`);
}

/** Returns each place outside `src/venues` where code has a field's name of the venue's wire. */
export function wireNamesOutside(sources: readonly SourceFile[]): string[] {
  const wireName = new RegExp(String.raw`\b(?:${fieldNames().join('|')})\b`, 'gu');
  return sources
    .filter(({ file }) => file.startsWith('src/') && !ownSchemas.test(file))
    .filter(({ file }) => !aboutTheExchange.has(file))
    .flatMap((source) =>
      [...codeOf(source).withStrings.matchAll(wireName)].map(([name]) => `${source.file}: ${name}`),
    );
}

let knownNames: readonly string[] | undefined;

/** Returns the names of members and parameters that nobody but the wire would write so. */
function fieldNames(): readonly string[] {
  knownNames ??= [...new Set(namesIn(openApiDocument()))].filter((name) => /^\w+_\w+$/u.test(name));
  return knownNames;
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === 'properties' && typeof inner === 'object' && inner !== null
      ? Object.keys(inner)
      : []),
    ...(key === 'name' && typeof inner === 'string' ? [inner] : []),
    ...namesIn(inner),
  ]);
}
