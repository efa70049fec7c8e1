/** Formats the error for an invalid command line, with the command that prints the help. */
import { type CommandPlace, millraceCommand } from '../terminal/command-hints.ts';

/**
 * Returns the error for commander's message, which may end with a hint in brackets. `name` is the
 * subcommand, undefined if none was recognised.
 */
export function usageError(
  text: string,
  name: string | undefined,
  workspace: CommandPlace,
): string {
  const [message = '', bracketed = ''] = text
    .replace(/^error: /u, '')
    .trimEnd()
    .split('\n');
  const hint = bracketed.replace(/^\((.)(.*)\)$/u, (_, first, rest) => first.toLowerCase() + rest);
  const cleaned = message.replace(' is invalid. ', ' is invalid: ').replace(/\.$/u, '');
  const help = name === undefined ? 'all commands' : 'its options';
  const command = millraceCommand(workspace, name === undefined ? '--help' : `${name} --help`);
  return `millrace: ${cleaned}${hint === '' ? '' : `; ${hint}`} (MR_CONFIG)\n${help}: ${command}\n`;
}
