/** The commands that Millrace suggests in its outputs, and those that cannot be pasted. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { problemOfCommand, suggestedIn } from '../../support/pasted-commands.ts';

const verbs = 'backtest|compile|config|halt|import|kill|panic|replay|resume|run|start|status|why';
/** One that is suggested without what starts it. */
const bare = new RegExp(`(?<!-- |/)\\bmillrace (?:${verbs}) [^,.;]*`, 'gu');

export type CommandsFound = { readonly count: number; readonly bad: readonly string[] };

/** Looks at every command in `texts`; `known` are paths that were there when they were printed. */
export function commandsIn(texts: readonly string[], known: readonly string[]): CommandsFound {
  const lines = new Map<string, string | undefined>();
  for (const text of texts) {
    for (const words of suggestedIn(text)) {
      const line = words.join(' ');
      if (!lines.has(line)) lines.set(line, problemOfCommand(words) ?? missingIn(words, known));
    }
    for (const [line] of text.matchAll(bare)) lines.set(line, 'it lacks what starts it');
  }
  const bad = [...lines].flatMap(([line, problem]) => (problem ? [`${line}: ${problem}`] : []));
  return { count: lines.size, bad };
}

function missingIn(words: readonly string[], known: readonly string[]): string | undefined {
  const paths = words.filter((word) => /[/]|\.yaml$/u.test(word) && !/^\w+:\/\//u.test(word));
  const missing = paths.find((path) => !known.includes(path) && !existsSync(resolve(path)));
  return missing === undefined ? undefined : `${missing} does not exist`;
}
