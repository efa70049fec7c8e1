/** Every command that Millrace suggests is complete: the command line accepts it unchanged. */
import { expect, test } from 'vitest';
import { closedLine } from '../../../src/bot/halted-scopes.ts';
import { lookCloser } from '../../../src/bot/run-report.ts';
import { usageError } from '../../../src/cli/usage-error.ts';
import { botCommand, exchangeCommand } from '../../../src/terminal/command-hints.ts';
import { problemOfCommand, suggestedIn } from '../../support/pasted-commands.ts';

const place = { config: "/etc/my bot's.yaml", home: '/var/lib/a b' };
const closed = { scope: 'strategy:mm', state: 'HALTED', atMs: 0, reason: 'news' } as const;

test.each([
  ['the end of a run', lookCloser(place).join('\n')],
  ['a halted scope', closedLine(closed, place)],
  ['an unreachable exchange', exchangeCommand('/h', 'https://127.0.0.1:7400')],
  ['an invalid command line', usageError('error: x', 'why')],
  ['an unknown command', usageError('error: x', undefined)],
])('%s', (_name, text) => {
  const commands = suggestedIn(text);
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.map(problemOfCommand)).toEqual(commands.map(() => undefined));
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
