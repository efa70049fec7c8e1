/**
 * Plugins are found only inside the strategies folder, and every message names what is allowed.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NEVER } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { amount, defineStrategy, exactShare, share, span } from '../../../src/index.ts';
import { loadStrategy, prepareStrategy } from '../../../src/strategy/loader.ts';
import { parseParameters } from '../../../src/strategy/parameters/fit-strategy.ts';

const ours = join(import.meta.dirname, '../../../strategies');
const index = pathToFileURL(join(import.meta.dirname, '../../../src/index.ts')).href;
let folder = '';

beforeAll(async () => {
  const base = await mkdtemp(join(tmpdir(), 'millrace-plugins-'));
  folder = join(base, 'strategies');
  const plugin = async (name: string, text: string) => {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'strategy.js'), text);
  };
  const imports = `import { defineStrategy } from ${JSON.stringify(index)};`;
  const definition = (name: string) =>
    `${imports}
    export default defineStrategy({
      name: '${name}',
      parameters: { safeParse: () => ({ success: true }) },
      pairs: 2,
      run: () => undefined,
      warmUp: () => ({ intervalMs: 0.5, candles: 1 }),
    });`;
  await plugin('good', definition('good'));
  await plugin('misnamed', definition('other'));
  await plugin('forged', 'export default { name: "forged", run() {} };');
  await plugin('empty', 'export const x = 1;');
  await plugin('broken', 'export default (;');
  await plugin('throwing', 'throw new Error("at load");\nexport {};');
  await plugin('undefinable', `${imports} export default defineStrategy({ name: 'undefinable' });`);
  const hooked = (name: string, hook: string) =>
    plugin(
      name,
      `${imports}
      export default defineStrategy({
        name: '${name}',
        parameters: { safeParse: (data) => ({ success: true, data }) },
        pairs: 1,
        run: () => undefined,
        ${hook}
      });`,
    );
  const thrower = "() => { throw new Error('no luck'); }";
  await hooked('schema-throws', `parameters: { safeParse: ${thrower} },`);
  await hooked('warm-up-throws', `warmUp: ${thrower},`);
  await hooked('quoting-throws', `quoting: ${thrower},`);
  await hooked('quoting-promised', 'quoting: async () => ({ halfSpread: 0.1 }),');
  await hooked('quoting-text', "quoting: () => ({ halfSpread: '20bps' }),");
  await hooked(
    'quoting-refresh',
    "quoting: () => ({ halfSpread: 0.002, refreshMs: '15s', tolerance: 0 }),",
  );
  await hooked('needs-throws', `needs: ${thrower},`);
  await hooked(
    'needs-side',
    "needs: () => ({ sides: ['BUY'], timeInForce: ['GTC'], postOnly: true }),",
  );
  await hooked(
    'needs',
    "needs: () => ({ sides: ['ASK'], timeInForce: ['GTC'], postOnly: true, size: '0.01' }),",
  );
  await hooked('quoting', 'quoting: () => ({ halfSpread: 0.002 }),');
  await mkdir(join(base, 'outside'));
  await writeFile(join(base, 'outside', 'strategy.js'), definition('escape'));
  await symlink(join(base, 'outside'), join(folder, 'escape'));
});
afterAll(() => rm(join(folder, '..'), { recursive: true, force: true }));

const settings = { id: 'mm', plugin: 'simple-mm', pairs: ['XBTZAR'] };

describe('loading', () => {
  it('simple-mm loads, with a hash of its code', async () => {
    const prepared = await prepareStrategy({
      folder: ours,
      settings: { ...settings, parameters: { halfSpread: '20bps', size: '0.01', refresh: '5s' } },
    });
    expect(prepared.parameters).toEqual({
      halfSpread: 0.002,
      size: '0.01',
      refresh: 5_000,
      tolerance: 0.0002,
    });
    expect(prepared.code.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(prepared.warmUp).toBeUndefined();
    expect((await loadStrategy(ours, 'simple-mm')).code.hash).toBe(prepared.code.hash);
  });

  it.each([
    ['missing', /there is no such plugin; the shipped plugins are .*good/],
    ['escape', /is outside the strategies folder/],
    ['../outside', /must be the name of a shipped plugin/],
    ['Good', /must be the name of a shipped plugin, a path .* or a package; was "Good"/],
    ['ends-with-', /there is no such plugin/],
    ['a'.repeat(33), /there is no such plugin/],
    ['', /must be the name of a shipped plugin/],
    ['forged', /must be made by defineStrategy, but is an object/],
    ['empty', /must be made by defineStrategy, but it exports only x/],
    ['misnamed', /its name is "other", but must equal/],
    ['broken', /cannot be loaded: .*broken\/strategy\.js:1: Expression expected/],
    ['throwing', /cannot be loaded: at load, at throwing\/strategy\.js:1$/],
    ['undefinable', /parameters must be a zod schema/],
  ])('plugin "%s" is refused', async (name, message) => {
    await expect(loadStrategy(folder, name)).rejects.toMatchObject({
      code: 'MR_CONFIG',
      message: expect.stringMatching(message),
    });
  });

  it('the number of pairs and the warm-up are checked', async () => {
    const prepare = (pairs: string[]) =>
      prepareStrategy({ folder, settings: { id: 'x', plugin: 'good', pairs, parameters: {} } });
    await expect(prepare(['A'])).rejects.toThrow(/trades 2 pair\(s\), 1 given/);
    await expect(prepare(['A', 'A'])).rejects.toThrow(/names a pair twice/);
    await expect(prepare(['A', 'B'])).rejects.toThrow(
      /warm-up of 1 candles of 0\.5ms; allowed are at most 10000 candles of whole minutes/,
    );
    await expect(loadStrategy(join(folder, 'nowhere'), 'good')).rejects.toThrow(/cannot be read/);
  });
});

describe('hooks', () => {
  const prepare = (plugin: string) =>
    prepareStrategy({ folder, settings: { id: 'x', plugin, pairs: ['A'], parameters: {} } });

  it.each([
    ['schema-throws', /^plugin schema-throws: its parameters threw: no luck, at schema-throws\//],
    ['warm-up-throws', /^plugin warm-up-throws: its warmUp threw: no luck, at warm-up-throws\//],
    ['quoting-throws', /^plugin quoting-throws: its quoting threw: no luck, at quoting-throws\//],
    ['quoting-promised', /quoting of quoting-promised must return an object, returned a promise/],
    [
      'quoting-refresh',
      /quoting-refresh quotes with a refreshMs of "15s"; it must be milliseconds/,
    ],
    ['needs-throws', /^plugin needs-throws: its needs threw: no luck, at needs-throws\//],
    ['needs-side', /needs-side: needs\.sides\.0: Invalid option: expected one of "BID"\|"ASK"/],
    ['quoting-text', /quoting-text quotes with a halfSpread of "20bps"; it must be a fraction/],
  ])('%s: a mistake is reported before a run starts', async (plugin, message) => {
    await expect(prepare(plugin)).rejects.toMatchObject({
      code: 'MR_CONFIG',
      message: expect.stringMatching(message),
    });
  });

  it('needs is called once, when the plugin is prepared', async () => {
    const needs = { sides: ['ASK'], timeInForce: ['GTC'], postOnly: true, size: '0.01' };
    expect((await prepare('needs')).needs).toEqual(needs);
  });

  it('quoting is called once, when the plugin is prepared', async () => {
    expect((await prepare('quoting')).quoting).toEqual({ halfSpread: 0.002 });
  });
});

describe('parameters', () => {
  const strategy = defineStrategy({
    name: 'typed',
    parameters: z.object({
      span,
      share,
      exactShare: exactShare.optional(),
      amount,
      text: z.string(),
    }),
    pairs: 1,
    run: () => NEVER,
  });
  const good = { span: '15s', share: '20bps', amount: '0.01', text: 'any' };

  it('have units, and are parsed to milliseconds, fractions and exact amounts', () => {
    const parsed = parseParameters(strategy, { ...good, exactShare: '0.1%' }, 'x') as {
      exactShare: { toFixed(): string };
    };
    expect(parsed).toMatchObject({ span: 15_000, share: 0.002, amount: '0.01' });
    expect(parsed.exactShare.toFixed()).toBe('0.001');
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['an unquoted amount', { amount: 0.01 }, /parameters\.amount: must be a quoted amount/],
    [
      'an amount with an exponent',
      { amount: '1e3' },
      /amount: must be a decimal amount above 0, such as "0\.01", was "1e3"/,
    ],
    ['an amount of zero', { amount: '0' }, /above 0/],
    ['a negative amount', { amount: '-1' }, /above 0/],
    ['a span without unit', { span: '15' }, /span: must be a span such as/],
    ['a span of zero', { span: '0s' }, /span: must be a span such as/],
    ['a bare number as share', { share: 0.2 }, /share: must be a quoted share/],
    ['a share without unit', { share: '0.2' }, /share: must be a share such as/],
    ['a missing parameter', { amount: undefined }, /amount: is missing; it must be a quoted/],
    [
      'a missing parameter whose type has no message of its own',
      { text: undefined },
      /text: is missing: Invalid/,
    ],
    [
      'an unknown parameter',
      { spread: '1bps' },
      /spread.*the parameters of typed are span, share, exactShare, amount, text/,
    ],
  ])('%s is refused', (_name, change, message) => {
    expect(() => parseParameters(strategy, { ...good, ...change }, 'x')).toThrow(message);
  });
});
