/** Faults for the structure of the source tree: files that do not exist, and rules for nothing. */
import type { SourceFile } from '../support/source-files.ts';
import {
  type Structure,
  type StructureCheck,
  structureChecks,
} from '../support/structure-checks.ts';
import { documentPlants } from './document-plants.ts';

export type PlantedStructure = {
  readonly breaks: string;
  /** The check that has to find it. */
  readonly check: StructureCheck;
  readonly plant: (structure: Structure) => Structure;
};

const duplicatedText = Array.from({ length: 6 }, (_, index) => `export const same${index} = 1;`);

export const structurePlants: Readonly<Record<string, PlantedStructure>> = {
  cycle: {
    breaks: 'two files import types of each other',
    check: 'cycles',
    plant: withFiles(
      importing('src/domain/planted-first.ts', './planted-second.ts'),
      importing('src/domain/planted-second.ts', './planted-first.ts'),
    ),
  },
  'upward-import': {
    breaks: 'the lowest layer imports a type of the engine',
    check: 'outOfLayer',
    plant: withFiles(importing('src/domain/planted.ts', '../engine/engine.ts')),
  },
  'upward-in-folder': {
    breaks: 'the core of the simulator imports a type of its server',
    check: 'outOfLayer',
    plant: withFiles(importing('src/venues/luno/simulator/core/planted.ts', '../server/outbox.ts')),
  },
  'venue-import': {
    breaks: 'one file more outside the venues imports one of their files',
    check: 'venueKnowledge',
    plant: withFiles(importing('src/cli/planted.ts', '../venues/luno/api/wire.ts')),
  },
  'wire-name': {
    breaks: "a file outside the venues reads a member of the venue's wire",
    check: 'venueKnowledge',
    plant: withFiles({
      file: 'src/cli/planted.ts',
      text: 'export const at = order.limit_price;\n',
    }),
  },
  'import-between-commands': {
    breaks: 'a command imports another command',
    check: 'outOfLayer',
    plant: withFiles(importing('src/cli/commands/planted-command.ts', './run-command.ts')),
  },
  'import-not-listed': {
    breaks: 'the auditor imports a lower folder that its list does not have',
    check: 'notListed',
    plant: withFiles(importing('src/audit/planted.ts', '../engine/engine.ts')),
  },
  'duplicate-name': {
    breaks: 'two folders have a file of the same name',
    check: 'namesTwice',
    plant: withFiles(
      { file: 'src/risk/planted.ts', text: '' },
      { file: 'src/market/book/planted.ts', text: '' },
    ),
  },
  'dead-rule': {
    breaks: 'the layout allows the executor to import what it does not',
    check: 'deadRules',
    plant: (structure) => {
      const { layout } = structure;
      const { execution } = layout.places;
      if (execution === undefined) throw new Error('the layout has no execution');
      const generous = { ...execution, imports: [...execution.imports, 'runtime'] };
      const places = { ...layout.places, execution: generous };
      return { ...structure, layout: { ...layout, places } };
    },
  },
  'dead-layer': {
    breaks: 'the layout has a folder that is not there',
    check: 'deadRules',
    plant: (structure) => {
      const places = { ...structure.layout.places, attic: { layer: 3, imports: [] } };
      return { ...structure, layout: { ...structure.layout, places } };
    },
  },
  'dead-package': {
    breaks: 'a package may be imported where nothing imports it',
    check: 'deadRules',
    plant: (structure) => {
      const packages = { ...structure.layout.packages, pino: ['runtime', 'risk'] };
      return { ...structure, layout: { ...structure.layout, packages } };
    },
  },
  'duplicate-blocks': {
    breaks: 'six files have the same six lines',
    check: 'duplicateBlocks',
    plant: withFiles(
      ...Array.from({ length: 6 }, (_, index) => ({
        file: `src/risk/planted-${index}.ts`,
        text: duplicatedText.join('\n'),
      })),
    ),
  },
  ...documentPlants,
};

/** Returns what a plant adds to the findings of the check that has to find it. */
export function addedBy({ check, plant }: PlantedStructure, plain: Structure): readonly string[] {
  const before = new Set(structureChecks[check](plain));
  return structureChecks[check](plant(plain)).filter((one) => !before.has(one));
}

function withFiles(...files: readonly SourceFile[]): PlantedStructure['plant'] {
  return (structure) => ({ ...structure, sources: [...structure.sources, ...files] });
}

function importing(file: string, from: string): SourceFile {
  return { file, text: `import type { Planted } from '${from}';\n` };
}
