/** How a command line that cannot be read is told: as every other error, and where help is. */

/** Returns what is printed for commander's message, which may end with a hint in brackets. */
export function usageError(text: string, verb: string | undefined): string {
  const [message = '', bracketed = ''] = text
    .replace(/^error: /u, '')
    .trimEnd()
    .split('\n');
  const hint = bracketed.replace(/^\((.)(.*)\)$/u, (_, first, rest) => first.toLowerCase() + rest);
  const said = message.replace(' is invalid. ', ' is invalid: ').replace(/\.$/u, '');
  const help = verb === undefined ? '--help` for the verbs' : `${verb} --help\` for its options`;
  return (
    `millrace: ${said}${hint === '' ? '' : `; ${hint}`} (MR_CONFIG)\n` + `run \`millrace ${help}\n`
  );
}
