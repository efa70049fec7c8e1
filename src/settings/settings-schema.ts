/**
 * The JSON Schemas of the settings files, from the declarations that read them, so that an editor
 * completes and checks them. What one key means for another (as what mode live requires) is only
 * checked by the program; a schema never refuses what the program accepts.
 */
import {
  type About,
  type Field,
  listSchema,
  type OptionalField,
  type ValueSchema,
} from './field.ts';
import { keyDescriptions, type SettingsKind } from './key-descriptions.ts';
import { scenarioField } from './load-scenario.ts';
import { scenarioMeanings } from './scenario-meanings.ts';
import { settingsFields } from './settings-keys.ts';

export const schemaKinds = ['bot', 'scenario', 'venue', 'egress'] as const;
export type SchemaKind = (typeof schemaKinds)[number];

const titles: Readonly<Record<SchemaKind, string>> = {
  bot: 'The settings of a bot of Millrace',
  scenario: 'A backtest of Millrace',
  venue: 'A venue of Millrace',
  egress: 'Egress caps of Millrace',
};

/** Returns the text that describes the key at `path`. */
type Describe = (path: string) => string | undefined;

export function settingsSchema(kind: SchemaKind): ValueSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: titles[kind],
    ...(kind === 'scenario'
      ? schemaOf(scenarioField, '', describeScenario)
      : schemaOf(settingsFields[kind], '', (path) => describeKey(kind, path))),
  };
}

function describeKey(kind: SettingsKind, path: string): string | undefined {
  const description = keyDescriptions[kind][path];
  if (description === undefined) return undefined;
  const { meaning, absent } = description;
  return absent === undefined ? meaning : `${meaning}\nIf left out: ${absent}.`;
}

function describeScenario(path: string): string | undefined {
  const isOfBot = /^(?:bot|namespace|packages|strategies|limits)(?:\.|$)/u.test(path);
  if (/^profile(?:\.|$)/u.test(path)) return describeKey('profile', path);
  return isOfBot ? describeKey('bot', path) : scenarioMeanings[path.split('.').at(-1) ?? ''];
}

function schemaOf(field: Field<unknown>, path: string, describe: Describe): ValueSchema {
  const { about } = field;
  const schema = ofAbout(about, path, describe);
  const value = about.words === undefined ? schema : { anyOf: [{ enum: about.words }, schema] };
  const description = describe(path);
  return description === undefined ? value : { description, ...value };
}

function ofAbout(about: About, path: string, describe: Describe): ValueSchema {
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  switch (about.kind) {
    case 'value':
      return about.schema;
    case 'list':
      return { type: 'array', items: schemaOf(about.item, `${path}[]`, describe), ...listSchema };
    case 'record': {
      const { name, placeholder, emptyAllowed } = about.keys;
      const value = schemaOf(about.value, below(`<${placeholder}>`), describe);
      return {
        type: 'object',
        patternProperties: { [name.source]: value },
        additionalProperties: false,
        ...(emptyAllowed === true ? {} : { minProperties: 1 }),
      };
    }
    case 'map': {
      const entries = Object.entries(about.members);
      return {
        type: 'object',
        properties: Object.fromEntries(
          entries.flatMap(([name, entry]) => propertiesOf(name, entry, { below, describe })),
        ),
        required: entries.flatMap(([name, entry]) => (typeof entry === 'function' ? [name] : [])),
        additionalProperties: false,
      };
    }
  }
}

/** Returns the schema of a key, and that of its former name, by which it may still be given. */
function propertiesOf(
  name: string,
  entry: Field<unknown> | OptionalField<unknown>,
  { below, describe }: { readonly below: (name: string) => string; readonly describe: Describe },
): readonly (readonly [name: string, schema: ValueSchema])[] {
  const { field, formerName } = typeof entry === 'function' ? { field: entry } : entry;
  const own = [name, schemaOf(field, below(name), describe)] as const;
  if (formerName === undefined) return [own];
  return [own, [formerName, schemaOf(field, below(formerName), describe)]];
}
