/** Every command that Millrace suggests is complete: the command line accepts it unchanged. */

import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { haltedScopeLine } from '../../../src/bot/halted-scopes.ts';
import { followUpLines } from '../../../src/bot/run-report.ts';
import { usageError } from '../../../src/cli/usage-error.ts';
import { DecodeError } from '../../../src/domain/errors.ts';
import { botCommand, exchangeCommand, remedyText } from '../../../src/terminal/command-hints.ts';
import { Output } from '../../../src/terminal/output.ts';
import { workspace } from '../../support/package-root.ts';
import { problemOfCommand, suggestedIn } from '../../support/pasted-commands.ts';
import { printed } from '../../support/printed.ts';

const place = { config: "/etc/my bot's.yaml", home: '/var/lib/a b', workspace };
const closed = { scope: 'strategy:mm', state: 'HALTED', atMs: 0, reason: 'news' } as const;

test.each([
  ['the end of a run', followUpLines(place).join('\n')],
  ['a halted scope', haltedScopeLine(closed, place)],
  ['an unreachable exchange', exchangeCommand(workspace, '/h', 'https://127.0.0.1:7400')],
  ['an invalid command line', usageError('error: x', 'why', workspace)],
  ['an unknown command', usageError('error: x', undefined, workspace)],
])('%s', (_name, text) => {
  const commands = suggestedIn(text);
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.map(problemOfCommand)).toEqual(commands.map(() => undefined));
});

test('an error that suggests words of a command is printed with the whole command', () => {
  const stderr = new PassThrough();
  const output = new Output({ workspace, isJson: false, stdout: new PassThrough(), stderr });
  const suggests = ['compile', '/a b/day.cap', '--output', '/a b/day.mrec'];
  output.problem(new DecodeError('/a b/day.cap: is a capture', { suggests }));
  const text = printed(stderr);
  expect(suggestedIn(text)).toEqual([suggests]);
  expect(suggestedIn(text).map(problemOfCommand)).toEqual([undefined]);
});

test.each([
  ['a halt', { command: 'resume', scope: 'strategy:mm' }],
  ['an approval', { command: 'approve', token: '0123456789abcdef' }],
] as const)('the remedy of %s', (_name, remedy) => {
  const [words] = suggestedIn(remedyText(remedy, place));
  expect(words?.[0]).toBe(remedy.command);
  expect(problemOfCommand(words ?? [])).toBeUndefined();
});

test('a path with blanks and quotes stays one shell word', () => {
  expect(botCommand('status', place)).toMatch(/ status '\/etc\/my bot'\\''s\.yaml' --home '\/var/u);
});

test('the check finds a command that is incomplete, unknown or has a placeholder', () => {
  const npm = 'npm run --silent millrace --';
  const [lacking, wrong, blank] = suggestedIn(
    `${npm} halt demo\n${npm} stop demo\n${npm} resume CONFIG --reason x`,
  );
  expect(problemOfCommand(lacking ?? [])).toContain('--reason');
  expect(problemOfCommand(wrong ?? [])).toContain("unknown command 'stop'");
  expect(problemOfCommand(blank ?? [])).toContain('CONFIG is to be filled in');
});
