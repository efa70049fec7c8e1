/** Amounts with more decimals than a market has: the error names the cell, --round cures it. */

import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { openCompiledFlows } from '../../../src/backtest/run/compiled-flow.ts';
import { runImportCommand } from '../../../src/cli/commands/compile-command.ts';
import type { ScenarioSettings } from '../../../src/domain/scenario-settings.ts';
import { exportCsv } from '../../../src/recording/export/export-csv.ts';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { openImport } from '../../../src/recording/import/import-format.ts';
import { Output } from '../../../src/terminal/output.ts';
import { importedFiles, importOptions } from '../../support/imported-files.ts';
import { workspace } from '../../support/package-root.ts';

const { folder, fileOf, remove } = importedFiles('csv');
afterAll(remove);

let number = 0;
const title = 'time_us,price,volume,side';
const tableOf = (...rows: readonly string[]): string => fileOf(`${[title, ...rows].join('\n')}\n`);

async function importedRows(path: string, options = {}): Promise<readonly string[]> {
  const out = join(folder, `decimals-${++number}.mrec`);
  const source = await openImport({ ...importOptions, ...options, format: 'csv-trades', path });
  const { notes } = await writeRecording(source, out);
  const recording = new Recording(out);
  const lines = [...exportCsv(recording)].join('').split('\n').slice(1, -1);
  recording.close();
  return [...lines, `rounded ${notes['roundedAmounts']}, cut ${notes['nanosecondsCut']}`];
}

const failure = (path: string, options = {}): Promise<string> =>
  importedRows(path, options).then(
    () => 'imported',
    (error: Error) => error.message.replaceAll(path, 'FILE'),
  );

const noise = '0.30000000000000004';

describe('a price with the noise of a float', () => {
  test('that makes the scales too large is named, with the cure', async () => {
    const path = tableOf('1,0.1,1.25,buy', `2,${noise},1,buy`);
    const message = await failure(path);
    expect(message).toContain('price and volume are 17 and 2; allowed: together at most 18');
    expect(message).toContain(`FILE:3: price "${noise}" has 17 decimals`);
    expect(message).toContain('--price-scale and --volume-scale, and --round');
    expect(await importedRows(path, { priceScale: 1, volumeScale: 2, round: true })).toEqual([
      '1,0.1,1.25,buy',
      '2,0.3,1.00,buy',
      'rounded 1, cut 0',
    ]);
  });

  test('that leaves no room for another price is named beside that price', async () => {
    const path = tableOf('1,100.5,1,buy', `2,${noise},1,buy`);
    const message = await failure(path);
    expect(message).toMatch(/^FILE:2: price must be at most/u);
    expect(message).toContain(`these 17 decimals come from FILE:3: price "${noise}"`);
    expect(message).toContain('set --price-scale and --round');
    const rounded = await importedRows(path, { priceScale: 2, volumeScale: 0, round: true });
    expect(rounded).toEqual(['1,100.50,1,buy', '2,0.30,1,buy', 'rounded 1, cut 0']);
  });

  test('is refused without --round, which the error names', async () => {
    const scales = { priceScale: 1, volumeScale: 0 };
    const message = await failure(tableOf(`1,${noise},1,buy`), scales);
    expect(message).toContain('FILE:2: price must be a number with at most 1 decimals');
    expect(message).toContain('--round rounds to it');
  });
});

test.each([
  ['0.25', '0.2'],
  ['0.35', '0.4'],
  ['0.34999', '0.3'],
  ['7', '7.0'],
])('%s is rounded to %s', async (price, expected) => {
  const options = { priceScale: 1, volumeScale: 0, round: true };
  const [line] = await importedRows(tableOf(`1,${price},1,buy`), options);
  expect(line).toBe(`1,${expected},1,buy`);
});

test('an amount that is rounded to 0 is refused', async () => {
  const options = { priceScale: 1, volumeScale: 0, round: true };
  expect(await failure(tableOf('1,5,0.2,buy'), options)).toContain(
    'FILE:2: volume must be above 0',
  );
});

test('files that need different scales are chained after the import that the error suggests', async () => {
  const orders = 'time_us,action,order_id,side,price,volume,taker_id,end';
  const files = ['1,create,a,bid,10.5,1,,1', '1000003,create,b,bid,10.25,0.1,,1'].map((line) =>
    fileOf(`${orders}\n${line}\n${line.replace(/,([ab]),/u, ',$1$1,').replace(/^./u, '2')}\n`),
  );
  const chain = async (options = {}): Promise<string> => {
    const names: string[] = [];
    for (const path of files) {
      names.push(join(folder, `chain-${++number}.mrec`));
      const source = await openImport({ ...importOptions, ...options, format: 'csv', path });
      await writeRecording(source, names.at(-1) as string);
    }
    const market = {
      ...{ pair: 'ESUSD', rules: {}, fillModel: undefined },
      data: { kind: 'recording', set: undefined, recordings: names },
    };
    const scope = { fromMs: undefined, toMs: undefined, folder, markets: [market] };
    return openCompiledFlows(scope as unknown as ScenarioSettings, folder).then(
      (flows) => {
        for (const flow of flows) flow.close();
        return 'chained';
      },
      (error: Error) => error.message,
    );
  };
  const message = await chain();
  const cure = /import .* again .* --price-scale (\d+) --volume-scale (\d+)$/u.exec(message) ?? [];
  const [, priceScale, volumeScale] = cure.map((text) => Number.parseInt(text, 10));
  expect([priceScale, volumeScale]).toEqual([2, 1]);
  expect(await chain({ priceScale, volumeScale })).toBe('chained');
});

describe('the command', () => {
  const runWith = async (path: string, flags: object): Promise<string> => {
    let text = '';
    const stream = new PassThrough();
    stream.on('data', (part) => {
      text += String(part);
    });
    const output = new Output({ workspace, isJson: false, stdout: stream, stderr: stream });
    const scales = { priceScale: undefined, volumeScale: undefined };
    const out = join(folder, `command-${++number}.mrec`);
    const given = { format: 'csv-trades', path, market: 'ES/USD', out, output };
    await runImportCommand({ ...scales, ...given, ...flags });
    return text;
  };

  test('says once that nanoseconds are cut, and nothing for whole microseconds', async () => {
    const rows = (time: string): string =>
      fileOf(`time_ns,price,volume,side\n${time}000,1,1,buy\n${time}999,1,1,buy\n`);
    const text = await runWith(rows('1700000000000000'), {});
    expect(text.match(/! 1 times have nanoseconds/gu)).toHaveLength(1);
    const whole = 'time_ns,price,volume,side\n1700000000000000000,1,1,buy\n';
    expect(await runWith(fileOf(whole), {})).not.toContain('! ');
  });

  test('rounds only to stated scales, and says how many amounts it rounded', async () => {
    const path = tableOf(`1700000000000000,${noise},1,buy`);
    await expect(runWith(path, { round: true, priceScale: 1 })).rejects.toThrow(
      'also give --price-scale and --volume-scale',
    );
    const flags = { round: true, priceScale: 1, volumeScale: 0 };
    expect(await runWith(path, flags)).toContain('! 1 amounts were rounded');
  });
});
