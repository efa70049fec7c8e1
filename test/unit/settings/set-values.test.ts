/** Values of settings that a command line gives: what they replace, and which are refused. */
import { describe, expect, it } from 'vitest';
import { parseSetValue, withValues } from '../../../src/settings/set-values.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';

const file = `# A scenario.
seed: 1
scenario: x # of the exchange
strategies:
  mm:
    parameters: { size: "0.01", fast: 3, on: true }
    budget:
      ZAR: "100"
  bare:
    plugin: x
limits: learner
`;

const source = new SettingsSource('a.yaml', Buffer.from(file));

function changed(...words: readonly string[]) {
  return withValues(source, words.map(parseSetValue));
}

describe('a value of the command line', () => {
  it.each([
    ['seed=7', ['seed'], 7],
    ['strategies.mm.parameters.size=0.02', ['strategies', 'mm', 'parameters', 'size'], '0.02'],
    ['strategies.mm.parameters.size=2', ['strategies', 'mm', 'parameters', 'size'], '2'],
    ['strategies.mm.parameters.fast=12', ['strategies', 'mm', 'parameters', 'fast'], 12],
    ['strategies.mm.parameters.fast=0.5', ['strategies', 'mm', 'parameters', 'fast'], 0.5],
    ['strategies.mm.parameters.on=false', ['strategies', 'mm', 'parameters', 'on'], false],
    ['strategies.mm.parameters.new=5s', ['strategies', 'mm', 'parameters', 'new'], '5s'],
    ['strategies.mm.parameters.new=0.5', ['strategies', 'mm', 'parameters', 'new'], '0.5'],
    ['strategies.mm.parameters.new="5"', ['strategies', 'mm', 'parameters', 'new'], '5'],
    ['strategies.bare.parameters.size=0.5', ['strategies', 'bare', 'parameters', 'size'], '0.5'],
    ['strategies.mm.budget={ ZAR: "5" }', ['strategies', 'mm', 'budget', 'ZAR'], '5'],
    ['limits=wide', ['limits'], 'wide'],
    ['scenario=a=b', ['scenario'], 'a=b'],
  ])('%s', (word, path, value) => {
    expect(changed(word).valueAt(path)).toEqual(value);
    expect(changed(word).valueAt(['strategies', 'mm', 'parameters', 'fast'])).toBeDefined();
  });

  it('leaves the lines of the file where they are, if it replaces a value', () => {
    const other = changed('strategies.mm.parameters.size=0.02');
    expect(other.locate(['limits'])).toEqual(source.locate(['limits']));
    expect(other.hash).not.toBe(source.hash);
  });

  it('is one of several, of which the last one counts', () => {
    expect(changed('seed=2', 'seed=3').valueAt(['seed'])).toBe(3);
  });

  it.each([
    ['strategies.m.parameters.size=1', /a\.yaml has no strategies\.m; did you mean mm\?/u],
    ['strategies.other.budget=1', /a\.yaml has no strategies\.other; it has mm, bare/u],
    ['limits.account.feeBuffer=1%', /a\.yaml has no keys below limits/u],
    ['seed.more=1', /a\.yaml has no keys below seed/u],
  ])('%s is refused', (word, message) => {
    expect(() => changed(word)).toThrow(message);
  });

  it.each(['', 'seed', 'seed=', '=1', 'a..b=1', 'a b=1', `${'x'.repeat(70)}=1`])(
    'is not %j',
    (word) => {
      expect(() => parseSetValue(word)).toThrow(/--set must be a key with its value, such as/u);
    },
  );
});
