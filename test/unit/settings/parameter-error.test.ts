/** What a plugin's schema says about its parameters is told like any other mistake of the file. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parameterErrorOf } from '../../../src/settings/parameter-error.ts';
import { share } from '../../../src/strategy/parameter-types.ts';
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
  const at = ['strategies', 'mm-xbt', 'parameters'];
  const keys = Object.keys(schema.shape);
  return parameterErrorOf(settings.source, result.error.issues, { at, keys }).message.split('\n');
}

test('parameters that fit raise nothing', () => {
  expect(
    linesFor('{ halfSpread: "20bps", size: "0.01", refresh: "15s", tolerance: "2bps" }'),
  ).toEqual([]);
});

test('a wrong value, an unknown key and a missing one each have their place', () => {
  expect(linesFor('{ halfSpred: "2bps", halfSpread: "20", size: 0.01, refresh: "1s" }')).toEqual([
    'desk.yaml:11:17: strategies.mm-xbt.parameters.tolerance: is missing; allowed: string',
    'desk.yaml:11:19: strategies.mm-xbt.parameters.halfSpred: is unknown; allowed: ' +
      'halfSpread, size, refresh, tolerance; try: halfSpread',
    'desk.yaml:11:50: strategies.mm-xbt.parameters.halfSpread: was "20"; allowed: ' +
      'a share such as "20bps"',
    'desk.yaml:11:62: strategies.mm-xbt.parameters.size: was 0.01; allowed: ' +
      'an amount in quotes; try: "0.01" in quotes',
  ]);
});

test('a number that is only too large is not told to stand in quotes', () => {
  const settings = botSettingsIn(edited('halfSpread: "20bps"', 'halfSpread: 20'));
  const issues = z.object({ halfSpread: z.number().max(10) }).safeParse({ halfSpread: 20 }).error;
  const at = ['strategies', 'mm-xbt', 'parameters'];
  const { message } = parameterErrorOf(settings.source, issues?.issues ?? [], { at });
  expect(message).toContain('halfSpread: was 20; allowed: ');
  expect(message).not.toContain('quotes');
});

test('what a schema says of the value is not said twice', () => {
  const settings = botSettingsIn(edited('halfSpread: "20bps"', 'halfSpread: "20"'));
  const issues = z.object({ halfSpread: share }).safeParse(settings.strategies[0]?.parameters);
  const at = ['strategies', 'mm-xbt', 'parameters'];
  expect(parameterErrorOf(settings.source, issues.error?.issues ?? [], { at }).message).toMatch(
    /halfSpread: was "20"; allowed: a share such as "20bps" or "2%"$/u,
  );
});
