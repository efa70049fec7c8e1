/** The JSON Schemas accept every shipped file, and refuse mistakes that the program refuses. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Field, Reader } from '../../../src/settings/field.ts';
import { scenarioField } from '../../../src/settings/load-scenario.ts';
import { readChecked } from '../../../src/settings/read-checked.ts';
import { settingsFields } from '../../../src/settings/settings-keys.ts';
import {
  type SchemaKind,
  schemaKinds,
  settingsSchema,
} from '../../../src/settings/settings-schema.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';
import { packageRoot } from '../../support/package-root.ts';
import { demoBotFile } from './bot-file.ts';

const fields: Readonly<Record<SchemaKind, Field<unknown>>> = {
  ...settingsFields,
  scenario: scenarioField,
};
const ajv = new Ajv({ strict: true, allErrors: true });
const validators = new Map(schemaKinds.map((kind) => [kind, ajv.compile(settingsSchema(kind))]));

/** Returns what the schema says against the YAML text. */
function schemaErrors(kind: SchemaKind, text: string): readonly string[] {
  const validate = validators.get(kind);
  if (validate === undefined) throw new Error(`no schema ${kind}`);
  validate(parse(text));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Throws ConfigError if the program refuses a key or value of the YAML text. */
function readByProgram(kind: SchemaKind, text: string): void {
  const source = new SettingsSource('file.yaml', new TextEncoder().encode(text));
  readChecked(source, (reader: Reader) => reader.read(fields[kind]));
}

/** Every settings file of the project, by its kind. */
const shipped: readonly (readonly [file: string, kind: SchemaKind])[] = [
  ...globSync('config/*.yaml', { cwd: packageRoot }).map(
    (file) => [file, basename(file) === 'egress.yaml' ? 'egress' : 'bot'] as const,
  ),
  ...globSync('config/venues/*.yaml', { cwd: packageRoot }).map((file) => [file, 'venue'] as const),
  ...globSync('backtests/*/scenario.yaml', { cwd: packageRoot }).map(
    (file) => [file, 'scenario'] as const,
  ),
];

const shippedText = (file: string) => readFileSync(join(packageRoot, file), 'utf8');

test.each(shipped)('%s is valid by the schema of a %s file', (file, kind) => {
  expect(schemaErrors(kind, shippedText(file))).toEqual([]);
});

test('there are shipped files of every kind', () => {
  expect(new Set(shipped.map(([, kind]) => kind))).toEqual(new Set(schemaKinds));
});

const mistakes: readonly (readonly [SchemaKind, from: string, to: string])[] = [
  ['bot', 'venue: simulator', 'venu: simulator'],
  ['bot', 'mode: demo', 'mode: live-ish'],
  ['bot', 'mode: demo', '# no mode'],
  ['bot', 'orderBaseMax: "0.02"', 'orderBaseMax: 0.02'],
  ['bot', 'orderBaseMax: "0.02"', 'orderBaseMax: "-1"'],
  ['bot', 'bookAgeMax: "5s"', 'bookAgeMax: 5'],
  ['bot', 'bookAgeMax: "5s"', 'bookAgeMax: "5 seconds"'],
  ['bot', 'collar: "2%"', 'collar: "0.02"'],
  ['bot', 'ordersOpenMax: 20', 'ordersOpenMax: 2000'],
  ['bot', 'sides: [BID, ASK]', 'sides: [BUY]'],
  ['bot', 'sides: [BID, ASK]', 'sides: []'],
  ['bot', 'pairs: [XBTZAR]', 'pairs: [xbtzar]'],
  ['bot', 'pairs: [XBTZAR]', 'pairs: XBTZAR'],
  ['bot', '    XBTZAR:', '    xbt-zar:'],
  ['egress', 'ordersPerMinuteMax: 240', 'ordersPerMinuteMax: "240"'],
  ['egress', 'valueMax: "100000"', 'valueMax: lots'],
  ['venue', 'version: 1', 'version: 2'],
  ['venue', 'baseUrl: http', 'baseUrl: ftp'],
  ['scenario', 'kind: recording', 'kind: order-flow-ndjson, snapshots: a'],
  ['scenario', 'feed: "2ms"', 'feed: 2'],
  ['scenario', 'feed: "2ms"', 'feed: { from: "2ms" }'],
  ['scenario', 'from: "2026-11-20T12:00:30Z"', 'from: "2026-11-20"'],
  ['scenario', 'seed: 1', 'seed: -1'],
  ['scenario', 'maker: "5bps"', 'maker: 5bp'],
];

const examples: Readonly<Record<SchemaKind, string>> = {
  bot: demoBotFile,
  egress: shippedText('config/egress.yaml'),
  venue: shippedText('config/venues/simulator.yaml'),
  scenario: shippedText('backtests/first/scenario.yaml'),
};

describe('a mistake is refused by the schema and by the program', () => {
  test.each(mistakes)('%s: %s becomes %s', (kind, from, to) => {
    const text = examples[kind].replace(from, () => to);
    expect(text).not.toBe(examples[kind]);
    expect(schemaErrors(kind, text)).not.toEqual([]);
    expect(() => readByProgram(kind, text)).toThrow();
  });
});

test('what the program accepts in another form is accepted by the schema', () => {
  const accepted: readonly (readonly [SchemaKind, from: string, to: string])[] = [
    ['scenario', 'feed: "2ms"', 'feed: { from: "1ms", to: "4ms" }'],
    ['scenario', 'feed: "2ms"', 'feed: ["1ms", "4ms"]'],
    ['scenario', 'maker: "5bps"', 'maker: "-1bps"'],
    ['scenario', 'recording: recording.mrec', 'recording: [one.mrec, two.mrec]'],
    ['scenario', 'seed: 1', 'seed: 1\nlowerGrade: { halfSpread: "0.05", volumeShare: "10%" }'],
    ['bot', 'strategies:\n', 'keep: { rows: all }\nstrategies:\n'],
  ];
  for (const [kind, from, to] of accepted) {
    const text = examples[kind].replace(from, () => to);
    expect(text).not.toBe(examples[kind]);
    expect(schemaErrors(kind, text), to).toEqual([]);
    expect(() => readByProgram(kind, text), to).not.toThrow();
  }
  const limits = /^limits:\n(?: .*\n|\n)+/mu;
  const named = demoBotFile.replace(limits, 'limits: learner\n');
  expect(named).not.toBe(demoBotFile);
  expect(schemaErrors('bot', named)).toEqual([]);
});

test('every key is described, with what applies if it is left out', () => {
  const silent: string[] = [];
  const visit = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties = {}, patternProperties = {}, items, anyOf = [] } = schema as Schema;
    for (const [name, member] of Object.entries({ ...properties, ...patternProperties })) {
      const at = `${path}.${name}`;
      if (typeof (member as Schema).description !== 'string') silent.push(at);
      visit(member, at);
    }
    visit(items, `${path}[]`);
    for (const one of anyOf) visit(one, path);
  };
  for (const kind of schemaKinds) visit(settingsSchema(kind), kind);
  // A latency's bounds are a value, which its own key describes.
  expect(silent.filter((path) => !/(?:feed|request|answer)\.(?:from|to)$/u.test(path))).toEqual([]);
});

type Schema = {
  readonly properties?: object;
  readonly patternProperties?: object;
  readonly items?: unknown;
  readonly anyOf?: readonly unknown[];
  readonly description?: unknown;
};
