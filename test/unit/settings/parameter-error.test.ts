/** What a plugin's schema refuses is reported like any other mistake of the file. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { LoadedBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { parameterErrorOf } from '../../../src/settings/parameter-error.ts';
import { amount, share, span } from '../../../src/strategy/parameters/parameter-types.ts';
import { botSettingsIn, edited } from './bot-file.ts';

const schema = z.strictObject({
  halfSpread: z.string().regex(/bps$/u, 'a share such as "20bps"'),
  size: z.string('an amount in quotes'),
  refresh: z.string(),
  tolerance: z.string(),
});

function linesFor(parameters: string): string[] {
  const from =
    '{ halfSpread: "20bps", size: "0.01", refresh: "15s", tolerance: "2bps" }\n    budget';
  const settings = botSettingsIn(edited(from, `${parameters}\n    budget`));
  const result = schema.safeParse(settings.strategies[0]?.parameters);
  if (result.success) return [];
  return errorFor(settings, schema).split('\n');
}

/** Returns the message for the parameters of `settings`, which `plugin` must refuse. */
function errorFor(settings: LoadedBotSettings, plugin: z.ZodObject): string {
  const issuesOf = (given: unknown) => plugin.safeParse(given).error?.issues ?? [];
  const issues = issuesOf(settings.strategies[0]?.parameters);
  return parameterErrorOf(settings.source, issues, {
    at: ['strategies', 'mm-xbt', 'parameters'],
    schema: { keys: Object.keys(plugin.shape), issuesOf },
  }).message;
}

test('parameters that fit raise nothing', () => {
  expect(
    linesFor('{ halfSpread: "20bps", size: "0.01", refresh: "15s", tolerance: "2bps" }'),
  ).toEqual([]);
});

test('a wrong value, an unknown key and a missing key are reported with their places', () => {
  expect(linesFor('{ halfSpred: "2bps", halfSpread: "20", size: 0.01, refresh: "1s" }')).toEqual([
    'desk.yaml:11:17: strategies.mm-xbt.parameters.tolerance: is missing; allowed: string',
    'desk.yaml:11:19: strategies.mm-xbt.parameters.halfSpred: is unknown; allowed: ' +
      'halfSpread, size, refresh, tolerance',
    'desk.yaml:11:50: strategies.mm-xbt.parameters.halfSpread: was "20"; allowed: ' +
      'a share such as "20bps"',
    'desk.yaml:11:62: strategies.mm-xbt.parameters.size: was 0.01; allowed: ' +
      'an amount in quotes; try: "0.01"',
  ]);
});

test('no quotes are suggested for a number that is only too large', () => {
  const settings = botSettingsIn(edited('halfSpread: "20bps"', 'halfSpread: 20'));
  const message = errorFor(settings, z.object({ halfSpread: z.number().max(10) }));
  expect(message).toContain('halfSpread: was 20; allowed: ');
  expect(message).not.toContain('quotes');
});

test('the value is named once, even if the schema repeats it', () => {
  const settings = botSettingsIn(edited('halfSpread: "20bps"', 'halfSpread: "20"'));
  expect(errorFor(settings, z.object({ halfSpread: share }))).toMatch(
    /halfSpread: was "20"; allowed: a share such as "20bps" or "2%"$/u,
  );
});

test.each([
  ['refresh: 5', 'refresh: "5s"'],
  ['refresh: "5 min"', 'refresh: "5m"'],
  ['halfSpread: 0.002', 'halfSpread: "0.2%"'],
  ['size: 0.002', 'size: "0.002"'],
  ['closes: "7"', 'closes: 7'],
  ['side: bdi', 'side: "BID"'],
  ['halfSpred: "2bps"', 'halfSpread: "2bps"'],
])('%s is refused with a fix that works: %s', (wrong, right) => {
  const fix = wrong.startsWith('halfSpred') ? 'halfSpread' : right.split(': ')[1];
  expect(kindsError(wrong)).toContain(`; try: ${fix}`);
  expect(kindsError(right)).toBeUndefined();
});

test.each(['halfSpread: 20', 'size: .nan', 'size: "5s"', 'refresh: "5 years"', 'closes: 0.5'])(
  '%s has no fix that is sure to work',
  (wrong) => expect(kindsError(wrong)).not.toContain('try:'),
);

/** Returns the message for one parameter of a plugin with each kind, or undefined if accepted. */
function kindsError(parameter: string): string | undefined {
  const kinds = z
    .strictObject({
      halfSpread: share,
      size: amount,
      refresh: span,
      closes: z.int(),
      side: z.enum(['BID', 'ASK']),
    })
    .partial();
  const from = '{ halfSpread: "20bps", size: "0.01", refresh: "15s", tolerance: "2bps" }';
  const settings = botSettingsIn(edited(from, `{ ${parameter} }`));
  if (kinds.safeParse(settings.strategies[0]?.parameters).success) return undefined;
  return errorFor(settings, kinds);
}

test.each([
  ['0.000000000000000001', undefined],
  ['0.0100000000000000000000', undefined],
  ['0.0000000000000000000001', 'must have at most 18 decimals, was "0.0000000000000000000001"'],
])('an amount of "%s": %s', (text, expected) => {
  expect(amount.safeParse(text).error?.issues[0]?.message).toBe(expected);
});
