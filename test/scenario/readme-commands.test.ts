/** A stranger can paste every command of the README; one that fails is reported. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentsIn } from '../support/documents/documents.ts';
import { runCommandsOf } from '../support/documents/readme-commands.ts';

test('every command of the README ends with 0 and shows what the README says', async () => {
  const readme = documentsIn(join(import.meta.dirname, '../..')).find(
    ({ file }) => file === 'README.md',
  );
  const runs = await runCommandsOf(readme ?? { file: 'README.md', text: '' });
  expect(runs.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  const outputOf = (text: string) => runs.find(({ command }) => command.text === text)?.stdout;
  expect(outputOf('npm start')).toMatch(/ reconcile reconciled: 0 live orders/u);
  expect(outputOf('npm start')).toMatch(/ order +mm-xbt BID 0\.01 XBT at \d+ ZAR is open/u);
  const backtest = 'npm run --silent millrace -- backtest backtests/join-the-bid';
  expect(outputOf(backtest)).toMatch(/^report +\S+\.html$/mu);
}, 300_000);

test('npm test and what does not parse are not run, and a command that fails says why', async () => {
  const text = [
    '```sh',
    'npm test',
    'npm run --silent millrace -- verify',
    'npm run --silent millrace -- backtest backtests/no-such-scenario',
    '```',
    '',
  ].join('\n');
  const [unparsed, failing] = await runCommandsOf({ file: 'README.md', text });
  expect(unparsed?.problem).toMatch(/^README\.md:3: .*missing required argument/u);
  expect(failing?.problem).toMatch(/^README\.md:4: .* ended with 4: .*MR_NOT_FOUND/u);
}, 120_000);
