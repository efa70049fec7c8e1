/**
 * `npm run prove -- structure`: the source tree is what the layout says. Every import points to a
 * lower layer and is listed, no imports form a cycle, every file has a name of its own, no more
 * code occurs twice than did before, and no rule is dead. And the documents are true: links
 * resolve, commands parse, those of the README run, and every name has its term. Every fix that an
 * error message about settings suggests is accepted. The longest file and the fullest folder are
 * named.
 */
import { join } from 'node:path';
import { commandsIn } from '../support/documents/document-commands.ts';
import { isPage } from '../support/documents/documents.ts';
import { runCommandsOf } from '../support/documents/readme-commands.ts';
import {
  blockLinesMin,
  type DuplicateBlock,
  duplicateBlocks,
} from '../support/duplicate-blocks.ts';
import { fileSizes, folderSizes } from '../support/file-sizes.ts';
import type { SourceFile } from '../support/source-files.ts';
import {
  duplicateBlocksMax,
  type StructureCheck,
  structureChecks,
  structureIn,
} from '../support/structure-checks.ts';
import { suggestedFixes } from '../support/suggested-fixes.ts';
import { venueImportsOutside, wireNamesOutside } from '../support/venue-boundary.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';
import { addedBy, structurePlants } from './structure-plants.ts';

/** A README whose command parses and fails: found by running it alone. */
const failingReadme = {
  'failing-command': {
    breaks: 'the README has a command that its own options take, and that fails',
    text: '```sh\nnpm run --silent millrace -- backtest backtests/no-such-scenario\n```\n',
  },
} as const;

const badSuggestion = {
  'bad-suggestion': { breaks: 'an error message suggests a fix that is refused, too' },
} as const;

async function run({ plant }: ProverOptions): Promise<ProverResult> {
  const plain = structureIn(join(import.meta.dirname, '../..'));
  if (plant !== undefined && Object.hasOwn(failingReadme, plant)) {
    const { text } = failingReadme[plant as keyof typeof failingReadme];
    const failed = await failedRuns({ file: 'README.md', text });
    return { figures: {}, violations: failed.problems.length, notes: failed.problems };
  }
  if (plant !== undefined && Object.hasOwn(badSuggestion, plant)) {
    const worded = (message: string) => message.replace(/; try: 240$/u, '; try: "240"');
    const { badSuggestions } = suggestedFixes({ only: 'egress.yaml', worded });
    return { figures: {}, violations: badSuggestions.length, notes: badSuggestions };
  }
  const planted = plant === undefined ? undefined : structurePlants[plant];
  if (planted !== undefined) {
    const added = addedBy(planted, plain);
    return { figures: {}, violations: added.length, notes: added };
  }
  const found = new Map(
    Object.entries(structureChecks).map(([name, check]) => [name, check(plain)]),
  );
  const readme = plain.documents.find(({ file }) => file === 'README.md');
  const runs = await failedRuns(readme ?? { file: 'README.md', text: '' });
  const fixes = suggestedFixes();
  const untried = fixes.keysNotTried.map((key) => `${key}: no mistake was made with this key`);
  const violations = [
    ...[...found.values()].flat(),
    ...runs.problems,
    ...fixes.badSuggestions,
    ...untried,
  ];
  const blocks = duplicateBlocks(plain.sources);
  const countOf = (check: StructureCheck): number => found.get(check)?.length ?? 0;
  const [largest] = folderSizes(plain.sources);
  const [longest] = fileSizes(plain.sources);
  return {
    figures: {
      files: plain.sources.filter(({ file }) => file.startsWith('src/')).length,
      src: sizeOf(plain.sources),
      venueImportsOutside: venueImportsOutside(plain.sources).length,
      wireNamesOutside: wireNamesOutside(plain.sources).length,
      cycles: countOf('cycles'),
      largestFolder: largest?.size,
      largestFolderIs: largest?.name,
      longestFile: longest?.size,
      longestFileIs: longest?.name,
      namesTwice: countOf('namesTwice'),
      outOfLayer: countOf('outOfLayer'),
      notListed: countOf('notListed'),
      deadRules: countOf('deadRules'),
      duplicateBlocks: blocks.length,
      duplicateBlocksMax,
      duplicateLinesMin: blockLinesMin,
      termsWithoutGlossary: countOf('termsWithoutGlossary'),
      documents: plain.documents.filter(isPage).length,
      brokenLinks: countOf('brokenLinks'),
      commandsRun: runs.count,
      commandsParsed: commandsIn(plain.documents).length,
      badCommands: countOf('badCommands') + runs.problems.length,
      suggestionsTried: fixes.suggestionsTried,
      badSuggestions: fixes.badSuggestions.length,
    },
    violations: violations.length,
    notes: [...violations, ...blocks.map(blockText)],
  };
}

/** The size of `src` without a venue's simulator and declared interface, comments included. */
function sizeOf(sources: readonly SourceFile[]): {
  readonly files: number;
  readonly lines: number;
} {
  const counted = sources.filter(
    ({ file }) =>
      file.startsWith('src/') && !/^src\/venues\/[^/]+\/(?:api|simulator)\//u.test(file),
  );
  const lines = counted.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
  return { files: counted.length, lines };
}

async function failedRuns(
  readme: SourceFile,
): Promise<{ readonly count: number; readonly problems: readonly string[] }> {
  const runs = await runCommandsOf(readme);
  const problems = runs.map(({ problem }) => problem).filter((one) => one !== undefined);
  return { count: runs.length, problems };
}

function blockText({ places, lines }: DuplicateBlock): string {
  const [first, second] = places.map(({ file, line }) => `${file}:${line}`);
  return `duplicate block: ${lines} lines at ${first} and at ${second}`;
}

export const structureProver: Prover = {
  name: 'structure',
  title: 'the source tree and the documents are what their rules say',
  compared: ['files', 'documents', 'commandsRun', 'commandsParsed', 'suggestionsTried'],
  plants: Object.fromEntries(
    Object.entries({ ...structurePlants, ...failingReadme, ...badSuggestion }).map(
      ([name, { breaks }]) => [name, breaks],
    ),
  ),
  run,
};
