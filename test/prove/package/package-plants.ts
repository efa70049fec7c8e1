/**
 * Faults that are built into the package before it is packed. Each names the part of the proof that
 * must find it: with a plant, only that part runs after the project was made.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type ProofPart = 'project' | 'dev' | 'types' | 'plugins' | 'places' | 'nodes';

export type PackagePlant = {
  readonly meaning: string;
  readonly part: ProofPart;
  /** Removed, a file or a folder. */
  readonly removes?: string;
  readonly file?: string;
  readonly from?: string;
  readonly to?: string;
};

export const packagePlants: Readonly<Record<string, PackagePlant>> = {
  'no-testing': {
    meaning: 'the entry millrace/testing is left out of the exports',
    part: 'project',
    ...{ file: 'package.json', from: '"./testing":', to: '"./no-testing":' },
  },
  'no-templates': {
    meaning: 'the templates of projects are left out',
    part: 'project',
    removes: 'templates',
  },
  'no-recording': {
    meaning: 'the sample recording is left out',
    part: 'project',
    removes: 'backtests/first',
  },
  'no-types': {
    meaning: 'the types of the main entry are left out',
    part: 'types',
    removes: 'src/index.d.ts',
  },
  'accepts-outside': {
    meaning: 'a plugin outside the project is accepted',
    part: 'plugins',
    file: 'src/strategy/plugin-place.js',
    from: 'if (target !== project && !target.startsWith(project + sep)) {',
    to: 'if (target === undefined) {',
  },
  'accepts-any-package': {
    meaning: 'a package is accepted that the settings do not allow',
    part: 'plugins',
    file: 'src/strategy/plugin-code.js',
    from: "this.#allowed === 'any' ||",
    to: 'true ||',
  },
  'same-package-hash': {
    meaning: 'the hash of a package does not cover its content',
    part: 'plugins',
    file: 'src/strategy/plugin-packages.js',
    from: 'addFile(hash, file, await readFile(join(folder, file)));',
    to: 'addFile(hash, file, new Uint8Array());',
  },
  'any-contract': {
    meaning: 'a plugin of another version of the contract is accepted',
    part: 'places',
    file: 'src/strategy/contract.js',
    from: 'contractVersionOf(value) === contractVersion',
    to: 'contractVersionOf(value) !== undefined',
  },
  'any-node': {
    meaning: 'a Node that is too old is not refused',
    part: 'nodes',
    file: 'src/bin.mjs',
    from: "requireNode('22.19');",
    to: '',
  },
  'forgets-renamed': {
    meaning: 'dev does not watch a file any more that was renamed',
    part: 'dev',
    file: 'src/cli/dev/dev-session.js',
    from: '...strategies, ...this.#sources.strategies',
    to: '...(this.failed > 0 ? [] : strategies)',
  },
};

/** Builds the fault into the built package. Throws if its code is not there any more. */
export function plantInPackage({ removes, file, from, to }: PackagePlant, built: string): void {
  if (removes !== undefined) rmSync(join(built, removes), { recursive: true });
  if (file === undefined || from === undefined || to === undefined) return;
  const path = join(built, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no "${from}" to replace`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}
