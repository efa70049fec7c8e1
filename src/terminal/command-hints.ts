/** Commands suggested to the user: complete and quoted for a shell, so that they can be pasted. */
import { relative } from 'node:path';
import type { Remedy } from '../domain/trading-block.ts';
import { packageRoot } from './package-root.ts';

/** The arguments that identify a bot on a command line. */
export type BotPlace = {
  /** Path of its settings file. */
  readonly config: string;
  /** Folder of its state; undefined if the settings decide it. */
  readonly home: string | undefined;
};

/** Returns the complete command; `line` is the subcommand and its arguments, already quoted. */
export function millraceCommand(line: string): string {
  const isInside = !relative(packageRoot, process.cwd()).startsWith('..');
  const prefix = isInside ? '' : ` --prefix ${quoted(packageRoot)}`;
  return `npm${prefix} run --silent millrace -- ${line}`;
}

/** Returns the complete command `name` for a bot; `more` are further arguments, already quoted. */
export function botCommand(name: string, { config, home }: BotPlace, ...more: string[]): string {
  const place = home === undefined ? [] : ['--home', quoted(home)];
  return millraceCommand([name, configArgument(config), ...more, ...place].join(' '));
}

/** Returns the command that resumes one scope and leaves the others unchanged. */
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
    : `: ${botCommand('approve', place, remedy.token, "--reason 'checked by hand'")}`;
}

/** Returns the command that starts the simulated exchange of `home` at the port of `baseUrl`. */
export function exchangeCommand(home: string, baseUrl: string): string {
  const { port, protocol } = new URL(baseUrl);
  const tls = protocol === 'https:' ? ' --tls' : '';
  return millraceCommand(`exchange --port ${port}${tls} --home ${quoted(home)}`);
}

/** Returns the shortest form of a path: settings in this package are relative to its folder. */
function configArgument(config: string): string {
  const inside = relative(packageRoot, config);
  return quoted(inside.startsWith('..') ? config : inside);
}

/** Returns `path` quoted for a shell. */
export function quoted(path: string): string {
  return /^[\w./@%+,:-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
