/**
 * `npm run prove -- structure`: the source tree is what the layout says. Every import points to a
 * lower layer and is listed, no imports form a cycle, no folder is crowded, every file has a name
 * of its own, no more code occurs twice than did before, and no rule is dead.
 */
import { join } from 'node:path';
import {
  blockLinesMin,
  type DuplicateBlock,
  duplicateBlocks,
} from '../support/duplicate-blocks.ts';
import { folderSizes } from '../support/folder-checks.ts';
import { layout } from '../support/layout.ts';
import { sourceFilesIn } from '../support/source-files.ts';
import {
  duplicateBlocksMax,
  type StructureCheck,
  structureChecks,
} from '../support/structure-checks.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { addedBy, structurePlants } from './structure-plants.ts';

async function run({ plant }: ProverOptions): Promise<ProverResult> {
  const plain = { sources: sourceFilesIn(join(import.meta.dirname, '../..')), layout };
  const planted = plant === undefined ? undefined : structurePlants[plant];
  const structure = planted?.plant(plain) ?? plain;
  const found = new Map(
    Object.entries(structureChecks).map(([name, check]) => [name, check(structure)]),
  );
  const violations = planted === undefined ? [...found.values()].flat() : addedBy(planted, plain);
  const blocks = duplicateBlocks(structure.sources);
  const countOf = (check: StructureCheck): number => found.get(check)?.length ?? 0;
  const [largest] = folderSizes(structure.sources);
  return {
    figures: {
      files: structure.sources.filter(({ file }) => file.startsWith('src/')).length,
      cycles: countOf('cycles'),
      largestFolder: largest?.files,
      largestFolderIs: largest?.folder,
      namesTwice: countOf('namesTwice'),
      outOfLayer: countOf('outOfLayer'),
      notListed: countOf('notListed'),
      deadRules: countOf('deadRules'),
      duplicateBlocks: blocks.length,
      duplicateBlocksMax,
      duplicateLinesMin: blockLinesMin,
    },
    violations: violations.length,
    notes: [...violations, ...blocks.map(blockText)],
  };
}

function blockText({ places, lines }: DuplicateBlock): string {
  const [first, second] = places.map(({ file, line }) => `${file}:${line}`);
  return `duplicate block: ${lines} lines at ${first} and at ${second}`;
}

export const structureProver: Prover = {
  name: 'structure',
  title: 'the source tree has the layers, sizes and names that its layout says',
  plants: Object.fromEntries(
    Object.entries(structurePlants).map(([name, { breaks }]) => [name, breaks]),
  ),
  run,
};
