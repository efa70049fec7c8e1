/**
 * Commands that are suggested to a person: complete, and as a shell takes them, so that they can be
 * pasted as they are.
 */
import { relative } from 'node:path';
import type { Remedy } from '../domain/trading-block.ts';
import { packageRoot } from './package-root.ts';

/** What names a bot on a command line. */
export type BotPlace = {
  /** Path of its settings. */
  readonly config: string;
  /** Folder of its state; undefined where the settings alone say it. */
  readonly home: string | undefined;
};

/** Returns the whole command; `line` is the verb and what follows it, quoted already. */
export function millraceCommand(line: string): string {
  const isInside = !relative(packageRoot, process.cwd()).startsWith('..');
  const prefix = isInside ? '' : ` --prefix ${quoted(packageRoot)}`;
  return `npm${prefix} run --silent millrace -- ${line}`;
}

/** Returns the whole command of `verb` for a bot; `more` are further words, quoted already. */
export function botCommand(verb: string, { config, home }: BotPlace, ...more: string[]): string {
  const place = home === undefined ? [] : ['--home', quoted(home)];
  return millraceCommand([verb, configArgument(config), ...more, ...place].join(' '));
}

/** Returns the command that opens one scope and leaves the others as they are. */
export function resumeCommand(scope: string, place: BotPlace): string {
  const [kind, name] = scope.split(':');
  const only = name === undefined ? [] : [`--${kind} ${quoted(name)}`];
  return botCommand('resume', place, ...only, "--reason 'resumed by hand'");
}

/** Returns the command of a remedy as the end of a sentence; nothing if there is none. */
export function remedyText(remedy: Remedy | undefined, place: BotPlace): string {
  if (remedy === undefined) return '';
  return remedy.command === 'resume'
    ? `: ${resumeCommand(remedy.scope, place)}`
    : `: ${botCommand('approve', place, remedy.token, "--reason 'looked at by hand'")}`;
}

/** Returns the command that starts the simulated exchange of `home` where it listened before. */
export function exchangeCommand(home: string, baseUrl: string): string {
  const { port, protocol } = new URL(baseUrl);
  const tls = protocol === 'https:' ? ' --tls' : '';
  return millraceCommand(`exchange --port ${port}${tls} --home ${quoted(home)}`);
}

/** Returns a path as it is short: settings of this package are named from its folder. */
function configArgument(config: string): string {
  const inside = relative(packageRoot, config);
  return quoted(inside.startsWith('..') ? config : inside);
}

/** Returns `path` as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w./@%+,:-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
