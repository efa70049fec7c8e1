/** How a command line that cannot be read is told: as every other error, and where help is. */
import { millraceCommand } from '../terminal/command-hints.ts';

/** Returns what is printed for commander's message, which may end with a hint in brackets. */
export function usageError(text: string, verb: string | undefined): string {
  const [message = '', bracketed = ''] = text
    .replace(/^error: /u, '')
    .trimEnd()
    .split('\n');
  const hint = bracketed.replace(/^\((.)(.*)\)$/u, (_, first, rest) => first.toLowerCase() + rest);
  const said = message.replace(' is invalid. ', ' is invalid: ').replace(/\.$/u, '');
  const help = verb === undefined ? 'all commands' : 'its options';
  const command = millraceCommand(verb === undefined ? '--help' : `${verb} --help`);
  return `millrace: ${said}${hint === '' ? '' : `; ${hint}`} (MR_CONFIG)\n${help}: ${command}\n`;
}
