/** `millrace config`: all problems of all files, and all values with their origin. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import {
  runConfigCheck,
  runConfigExplain,
  runConfigShow,
} from '../../../src/cli/commands/config-command.ts';
import { NotFoundError } from '../../../src/domain/errors.ts';
import { Output } from '../../../src/terminal/output.ts';
import { workspace } from '../../support/package-root.ts';
import { printed } from '../../support/printed.ts';
import { demoBotFile, edited } from '../settings/bot-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Runs a command with `--json` and returns its exit code and its object. */
async function resultOf(
  run: (output: Output) => Promise<number> | number,
): Promise<{ readonly code: number; readonly value: unknown }> {
  const stdout = new PassThrough();
  const output = new Output({ workspace, isJson: true, stdout, stderr: new PassThrough() });
  const code = await run(output);
  return { code, value: JSON.parse(printed(stdout)) };
}

describe('config check', () => {
  const check = (...files: string[]) =>
    resultOf((output) => runConfigCheck({ files, workspace, output }));

  test('recognises a bot, a venue, egress caps and a scenario by their keys', async () => {
    const files = [
      'config/demo.yaml',
      'config/egress.yaml',
      'config/venues/simulator.yaml',
      'backtests/first/scenario.yaml',
    ];
    expect(await check(...files)).toEqual({
      code: 0,
      value: {
        ok: true,
        files: files.map((one) => ({ file: one, ok: true, problems: [], warnings: [] })),
      },
    });
  });

  test('reports problems of the parameters, the venue and the caps together', async () => {
    file(
      'egress.yaml',
      'version: 1\nordersPerMinuteMax: 9\npairs: { ETHXBT: { volumeMax: "1", valueMax: "1" } }\n',
    );
    const wrong = file(
      'wrong.yaml',
      edited(
        'halfSpread: "20bps"',
        'halfSpred: "20bps"',
        edited('venue: simulator ', 'venue: nowhere ', demoBotFile),
      ),
    );
    const { code, value } = await check('config/demo.yaml', wrong);
    expect(code).toBe(2);
    const [good, bad] = (value as { files: { ok: boolean; problems: string[] }[] }).files;
    expect(good?.ok).toBe(true);
    expect(bad?.problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/wrong\.yaml:\d+:\d+: .*halfSpred/u),
        expect.stringMatching(
          /wrong\.yaml:\d+:\d+: venue: was nowhere; allowed: the name of a .*: .*simulator/u,
        ),
        expect.stringMatching(/egress\.yaml: pairs lacks XBTZAR/u),
      ]),
    );
  });

  test('reports them together with wrong keys and values, in line order', async () => {
    const changes: readonly (readonly [string, string])[] = [
      ['venue: simulator ', 'venue: nowhere '],
      ['halfSpread: "20bps"', 'halfSpred: "20bps"'],
      ['collar: ', 'colar: '],
    ];
    const text = changes.reduce((text, [from, to]) => edited(from, to, text), demoBotFile);
    const { value } = await check(file('several.yaml', `${text}\nnonsense: 1\n`));
    const [{ problems }] = (value as { files: [{ problems: string[] }] }).files;
    const inFile = problems.filter((line) => line.includes('several.yaml:'));
    const keys = ['venue', 'egress', 'halfSpre', 'limits', 'nonsense'];
    const order = inFile.map((line) => keys.findIndex((key) => line.split(': ')[1]?.includes(key)));
    expect(order).toEqual([0, 1, 2, 2, 3, 3, 4]);
    expect(inFile[1]).toMatch(/several\.yaml:\d+:\d+: .*egress\.yaml: pairs lacks XBTZAR/u);
  });

  test('a missing file of caps is reported on the line that names it', async () => {
    const text = edited('egress: egress.yaml', 'egress: absent.yaml', demoBotFile);
    const { value } = await check(file('caps.yaml', text));
    const [{ problems }] = (value as { files: [{ problems: string[] }] }).files;
    const line = text.split('\n').findIndex((one) => one.startsWith('egress:')) + 1;
    expect(problems).toEqual([
      expect.stringMatching(
        new RegExp(`caps\\.yaml:${line}:9: .*absent\\.yaml: there is no such file$`, 'u'),
      ),
    ]);
  });

  test('reports problems of all plugins, and of strategies beside a wrong one', async () => {
    const second = /^ {2}mm-xbt:.*?(?=^\S)/msu.exec(demoBotFile)?.[0] ?? '';
    const wrong = second.replace('halfSpread: "20bps"', 'halfSpread: "banana"');
    const other = wrong.replace('mm-xbt', 'mm-two');
    const unreadable = wrong.replace('mm-xbt', 'mm-bad').replace(/pairs: .*/u, 'pairs: 7');
    const text = demoBotFile.replace(second, `${wrong}${other}${unreadable}`);
    const { value } = await check(file('plugins.yaml', text));
    const [{ problems }] = (value as { files: [{ problems: string[] }] }).files;
    const keys = problems.map((line) => line.split(': ')[1]);
    expect(keys.filter((key) => key?.startsWith('strategies.'))).toEqual([
      'strategies.mm-xbt.parameters.halfSpread',
      'strategies.mm-two.parameters.halfSpread',
      'strategies.mm-bad.pairs',
    ]);
  });

  test('accepts valid settings that are probably mistakes, with warnings', async () => {
    file('egress.yaml', readFileSync('config/egress.yaml', 'utf8'));
    const wide = file('wide.yaml', edited('halfSpread: "20bps"', 'halfSpread: "15%"', demoBotFile));
    const { code, value } = await check(wide);
    expect([code, value]).toMatchObject([0, { ok: true, files: [{ ok: true, problems: [] }] }]);
    const [{ warnings }] = (value as { files: [{ warnings: string[] }] }).files;
    expect(warnings).toEqual([
      expect.stringMatching(
        /wide\.yaml:\d+:\d+: .*halfSpread: warning: was 15%, but .*collar is 2%/,
      ),
      expect.stringMatching(/quotes more than 10% from the mid will not trade/),
    ]);
  });

  test('a missing file is a problem like any other', async () => {
    expect(await check(join(folder, 'none.yaml'))).toMatchObject({ code: 2, value: { ok: false } });
  });
});

describe('config show --origin', () => {
  const show = async (path: string, environment: Record<string, string> = {}) => {
    const { value } = await resultOf((output) =>
      runConfigShow({
        workspace,
        file: path,
        home: '/somewhere',
        withOrigin: true,
        environment,
        output,
      }),
    );
    const all = value as { key: string; value: string; origin: string }[];
    return new Map(all.map((one) => [one.key, one]));
  };

  test('prints lines, defaults, derived values and values from the environment', async () => {
    const text = edited(
      '    onStop: cancel ',
      '    # ',
      edited('egress: egress.yaml', '# ', demoBotFile),
    );
    const path = file('shown.yaml', text);
    const values = await show(path, { MILLRACE_API_KEY_ID_FILE: '/run/secret-place' });
    const line = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
    expect(values.get('limits.pairs.XBTZAR.collar')).toMatchObject({
      value: '2%',
      origin: `${path}:${line('collar:')}`,
    });
    expect(values.get('strategies.mm-xbt.onStop')).toMatchObject({
      value: 'cancel',
      origin: 'default',
    });
    expect(values.get('namespace')?.origin).toBe('derived');
    expect(values.get('egress')?.origin).toBe('not given');
    expect(values.get('store')?.value).toBe('/somewhere/demo.sqlite');
    expect(values.get('MILLRACE_API_KEY_ID')).toMatchObject({
      value: '(not shown)',
      origin: 'environment, MILLRACE_API_KEY_ID_FILE',
    });
    expect(values.get('hash')?.value).toMatch(/^[0-9a-f]{64}$/u);
  });
});

describe('config explain', () => {
  test('finds a key by its last part', async () => {
    const { value } = await resultOf((output) =>
      runConfigExplain({ key: 'bookAgeMax', write: undefined, workspace, output }),
    );
    expect(value).toMatchObject([
      { path: 'limits.pairs.<pair>.bookAgeMax', isRequired: true, whenLeftOut: 'refused' },
    ]);
  });

  test('lists the keys in a map, below the names that the file chooses too', async () => {
    const belowOf = async (key: string) => {
      const { value } = await resultOf((output) =>
        runConfigExplain({ key, write: undefined, workspace, output }),
      );
      return (value as readonly { readonly below: readonly string[] }[])[0]?.below;
    };
    expect(await belowOf('feeds')).toEqual(
      expect.arrayContaining(['feeds.<feed>', 'feeds.<feed>.http', 'feeds.<feed>.unchangedMax']),
    );
    expect(await belowOf('limits')).toEqual([
      'limits.account',
      'limits.eachStrategy',
      'limits.pairs',
    ]);
    expect(await belowOf('bookAgeMax')).toEqual([]);
  });

  test('explains the parameters of a plugin', async () => {
    const { value } = await resultOf((output) =>
      runConfigExplain({ key: 'ma-cross', write: undefined, workspace, output }),
    );
    expect(value).toMatchObject({ plugin: 'ma-cross', name: 'ma-cross' });
    expect((value as { parameters: readonly object[] }).parameters).toMatchObject([
      { name: 'fast', from: 1, to: 1_000, unit: 'candles' },
      { name: 'slow' },
      { name: 'size' },
      { name: 'candle', default: '60s' },
      { name: 'slip', from: '0bps', default: '10bps' },
    ]);
  });

  test('refuses an unknown key and suggests a similar one', async () => {
    const output = new Output({
      workspace,
      isJson: true,
      stdout: new PassThrough(),
      stderr: new PassThrough(),
    });
    const explain = () =>
      runConfigExplain({ key: 'bookAgMax', write: undefined, workspace, output });
    await expect(explain).rejects.toThrow(NotFoundError);
    await expect(explain).rejects.toThrow(/did you mean limits\.pairs\.<pair>\.bookAgeMax/u);
  });
});
