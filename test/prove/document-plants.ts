/**
 * Faults for the documents: links to nothing, commands that do not exist, names without a line.
 * Where a name is put together from parts, the check would find it in this file, too.
 */
import { glossaryFile } from '../support/documents/glossary.ts';
import type { Structure, StructureCheck } from '../support/structure-checks.ts';

type PlantedDocument = {
  readonly breaks: string;
  readonly check: StructureCheck;
  readonly plant: (structure: Structure) => Structure;
};

export const documentPlants: Readonly<Record<string, PlantedDocument>> = {
  'broken-link': {
    breaks: 'a page links to a page that does not exist',
    check: 'brokenLinks',
    plant: withPage('See [the page](no-such-page.md).'),
  },
  'broken-anchor': {
    breaks: 'a page links to a heading that does not exist',
    check: 'brokenLinks',
    plant: withPage('See [the exit codes](errors.md#exit-cods).'),
  },
  'missing-image': {
    breaks: 'a page shows an image that does not exist',
    check: 'brokenLinks',
    plant: withPage('![A picture](images/no-such-picture.png)'),
  },
  'missing-path': {
    breaks: 'a page names a source file that does not exist',
    check: 'brokenLinks',
    plant: withPage('The gate is `src/risk/no-such-gate.ts`.'),
  },
  'moved-page': {
    breaks: 'a source file names a page that has moved',
    check: 'brokenLinks',
    plant: withSource('src/risk/planted.ts', `/** As ${'docs'}/architecture.md says. */`),
  },
  'unknown-decision': {
    breaks: 'a page cites a decision that does not exist',
    check: 'brokenLinks',
    plant: withPage(`The reason is D-${999}.`),
  },
  'missing-argument': {
    breaks: 'a page shows a command without an option that it needs',
    check: 'badCommands',
    plant: withPage('```sh', 'npm run --silent millrace -- halt config/demo.yaml', '```'),
  },
  'unknown-option': {
    breaks: 'a sentence shows a command with an option that does not exist',
    check: 'badCommands',
    plant: withPage('Run `millrace status CONFIG --verbose`.'),
  },
  'unknown-command': {
    breaks: 'a sentence names a command that does not exist',
    check: 'badCommands',
    plant: withPage('Run `millrace stop`.'),
  },
  'unknown-prover': {
    breaks: 'a page shows a prover that does not exist',
    check: 'badCommands',
    plant: withPage('It is shown by `npm run prove -- order --json`.'),
  },
  'unknown-prover-option': {
    breaks: 'a page shows a prover with an option that does not exist',
    check: 'badCommands',
    plant: withPage('It is shown by `prove -- orders --seed 10`.'),
  },
  'unit-with-unknown-option': {
    breaks: 'the unit of a service starts a bot with an option that does not exist',
    check: 'badCommands',
    plant: withPage('```ini', 'ExecStart=/opt/node src/bin.mjs run /etc/%i.yaml --lives', '```'),
  },
  'class-without-term': {
    breaks: 'a class is exported that the glossary does not have',
    check: 'termsWithoutGlossary',
    plant: withSource('src/risk/planted.ts', 'export class PlantedThing {}'),
  },
  'key-without-term': {
    breaks: 'the glossary loses the row of a settings key',
    check: 'termsWithoutGlossary',
    plant: withGlossary((text) => text.replaceAll('`bookAgeMax`', '')),
  },
  'term-out-of-order': {
    breaks: 'the glossary has a row that is not in its place',
    check: 'termsWithoutGlossary',
    plant: withGlossary((text) => `${text}| aardvark |  | Last, although it begins with an a. |\n`),
  },
  'term-twice': {
    breaks: 'the glossary has two rows of one term',
    check: 'termsWithoutGlossary',
    plant: withGlossary((text) => text.replace(/^\| markout \|.*\n/mu, '$&$&')),
  },
  'name-twice': {
    breaks: 'the glossary explains a name in two rows',
    check: 'termsWithoutGlossary',
    plant: withGlossary((text) => `${text}| zzz | \`Notice\` | Explained before. |\n`),
  },
  'term-of-nothing': {
    breaks: 'the glossary explains a name that the code does not have',
    check: 'termsWithoutGlossary',
    plant: withGlossary((text) => `${text}| zzz | \`NoSuchName\` | Nothing. |\n`),
  },
};

function withPage(...lines: readonly string[]): PlantedDocument['plant'] {
  const page = { file: ['docs', 'planted.md'].join('/'), text: `${lines.join('\n')}\n` };
  return (structure) => ({ ...structure, documents: [...structure.documents, page] });
}

function withSource(file: string, text: string): PlantedDocument['plant'] {
  return (structure) => ({ ...structure, sources: [...structure.sources, { file, text }] });
}

function withGlossary(change: (text: string) => string): PlantedDocument['plant'] {
  return (structure) => ({
    ...structure,
    documents: structure.documents.map(({ file, text }) => ({
      file,
      text: file === glossaryFile ? change(text) : text,
    })),
  });
}
