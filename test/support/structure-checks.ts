/** The checks of the structure of `src` together, for the test and for the prover. */
import { duplicateBlocks } from './duplicate-blocks.ts';
import { crowdedFolders, repeatedNames } from './folder-checks.ts';
import { importCycles } from './import-cycles.ts';
import { importsOutOfLayer, unusedLayers } from './import-layers.ts';
import { refusedImports, unusedImportRules } from './import-rules.ts';
import type { Layout } from './layout.ts';
import type { SourceFile } from './source-files.ts';
import { unusedExceptions } from './tidy-rules.ts';

/** How many there were when the bound was set. It only comes down. */
export const duplicateBlocksMax = 10;

/** What is checked: our source files, and the layout that they are held against. */
export type Structure = { readonly sources: readonly SourceFile[]; readonly layout: Layout };

export type StructureCheck =
  | 'cycles'
  | 'outOfLayer'
  | 'notListed'
  | 'crowdedFolders'
  | 'namesTwice'
  | 'deadRules'
  | 'duplicateBlocks';

/** What each check finds wrong, as sentences that begin with where. */
export const structureChecks: Readonly<
  Record<StructureCheck, (structure: Structure) => readonly string[]>
> = {
  cycles: ({ sources }) => importCycles(sources),
  outOfLayer: ({ sources, layout }) => importsOutOfLayer(sources, layout),
  notListed: ({ sources, layout }) => refusedImports(sources, layout),
  crowdedFolders: ({ sources }) => crowdedFolders(sources),
  namesTwice: ({ sources }) => repeatedNames(sources),
  deadRules: ({ sources, layout }) => [
    ...at('test/support/layout.ts', unusedImportRules(sources, layout)),
    ...at('test/support/layout.ts', unusedLayers(sources, layout)),
    ...at('test/support/tidy-rules.ts', unusedExceptions(sources)),
  ],
  duplicateBlocks: ({ sources }) => {
    const count = duplicateBlocks(sources).length;
    if (count <= duplicateBlocksMax) return [];
    return [`src: ${count} blocks of code occur twice, at most ${duplicateBlocksMax} may`];
  },
};

function at(file: string, problems: readonly string[]): string[] {
  return problems.map((problem) => `${file}: ${problem}`);
}
