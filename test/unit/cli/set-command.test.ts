/** The words of `millrace set`: what is left out is said before a bot is looked for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkSetWords, runSet } from '../../../src/cli/commands/set-command.ts';
import type { Output } from '../../../src/terminal/output.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';

test.each([[['mm', 'halfSpread=30bps']], [['demo', 'mm']], [['demo']]])(
  '%j lack the strategy or the values',
  (words) => {
    expect(() => checkSetWords(words)).toThrow(
      'name the strategy and its parameters with their values after the bot, such as my-bot mm halfSpread=30bps',
    );
  },
);

test('a strategy with values is complete, and a bot that is missing is for others to say', () => {
  expect(() => checkSetWords(['demo', 'mm', 'halfSpread=30bps'])).not.toThrow();
  expect(() => checkSetWords([])).not.toThrow();
});

test('a bot that does not run takes its values from its file, and the lines for it are printed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'millrace-set-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const config = join(packageRoot, 'config/demo.yaml');
  const set = (strategy: string) =>
    runSet({
      ...{ config, home, workspace, strategy, reason: 'a test', words: ['halfSpread=30bps'] },
      output: {} as Output,
    });
  await expect(set('mm-xbt')).rejects.toThrow(
    /^bot demo is not running, .*demo\.yaml below \S+mm-xbt\.parameters:\n {2}halfSpread: "30bps"/u,
  );
  await expect(set('mm-xtb')).rejects.toThrow(
    /has no strategy mm-xtb, only mm-xbt; did you mean mm-xbt\?$/u,
  );
});
