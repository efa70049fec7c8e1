/** The checks of the source tree and of the documents together, for the test and the prover. */
import { brokenLinks } from './documents/broken-links.ts';
import { badCommand, commandsIn } from './documents/document-commands.ts';
import { documentsIn, pathsIn } from './documents/documents.ts';
import { glossaryProblems } from './documents/glossary.ts';
import { duplicateBlocks } from './duplicate-blocks.ts';
import { repeatedNames } from './file-sizes.ts';
import { importCycles } from './import-cycles.ts';
import { importsOutOfLayer, unusedLayers } from './import-layers.ts';
import { refusedImports, unusedImportRules } from './import-rules.ts';
import { type Layout, layout } from './layout.ts';
import { type SourceFile, sourceFilesIn } from './source-files.ts';
import { unusedExceptions } from './tidy-rules.ts';
import {
  unusedVenueExceptions,
  venueImportsOutside,
  venueImportsOutsideMax,
  wireNamesOutside,
  wireNamesOutsideMax,
} from './venue-boundary.ts';

/** How many there were when the bound was set. It only comes down. */
export const duplicateBlocksMax = 10;

/** What is checked: our source files and documents, and the layout that they have to follow. */
export type Structure = {
  readonly sources: readonly SourceFile[];
  readonly layout: Layout;
  readonly documents: readonly SourceFile[];
  /** Every file and folder of the repository. */
  readonly paths: ReadonlySet<string>;
};

/** Reads the structure of the repository at `root`. */
export function structureIn(root: string): Structure {
  const [sources, documents, paths] = [sourceFilesIn(root), documentsIn(root), pathsIn(root)];
  return { sources, layout, documents, paths };
}

export type StructureCheck =
  | 'cycles'
  | 'outOfLayer'
  | 'notListed'
  | 'namesTwice'
  | 'deadRules'
  | 'duplicateBlocks'
  | 'venueKnowledge'
  | 'termsWithoutGlossary'
  | 'brokenLinks'
  | 'badCommands';

/** What each check finds wrong, as sentences that begin with where. */
export const structureChecks: Readonly<
  Record<StructureCheck, (structure: Structure) => readonly string[]>
> = {
  cycles: ({ sources }) => importCycles(sources),
  outOfLayer: ({ sources, layout }) => importsOutOfLayer(sources, layout),
  notListed: ({ sources, layout }) => refusedImports(sources, layout),
  namesTwice: ({ sources }) => repeatedNames(sources),
  deadRules: ({ sources, layout }) => [
    ...at('test/support/layout.ts', unusedImportRules(sources, layout)),
    ...at('test/support/layout.ts', unusedLayers(sources, layout)),
    ...at('test/support/tidy-rules.ts', unusedExceptions(sources)),
    ...at('test/support/venue-boundary.ts', unusedVenueExceptions(sources)),
  ],
  duplicateBlocks: ({ sources }) => {
    const count = duplicateBlocks(sources).length;
    if (count <= duplicateBlocksMax) return [];
    return [`src: ${count} blocks of code occur twice, at most ${duplicateBlocksMax} may`];
  },
  venueKnowledge: ({ sources }) => [
    ...tooMany('files import src/venues', venueImportsOutside(sources), venueImportsOutsideMax),
    ...tooMany("names of a venue's wire", wireNamesOutside(sources), wireNamesOutsideMax),
  ],
  termsWithoutGlossary: ({ sources, documents }) => glossaryProblems(sources, documents),
  brokenLinks,
  badCommands: ({ documents }) =>
    commandsIn(documents)
      .map(badCommand)
      .filter((problem) => problem !== undefined),
};

function at(file: string, problems: readonly string[]): string[] {
  return problems.map((problem) => `${file}: ${problem}`);
}

function tooMany(what: string, found: readonly string[], max: number): string[] {
  if (found.length <= max) return [];
  return [`src outside src/venues: ${found.length} ${what}, at most ${max}`];
}
