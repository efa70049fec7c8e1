/** Commands suggested to the user: complete and quoted for a shell, so that they can be pasted. */
import type { Remedy } from '../domain/trading-block.ts';
import type { Workspace } from '../domain/workspace.ts';
import { shortPath } from '../runtime/paths.ts';

/** How and where the user runs suggested commands. */
export type CommandPlace = Pick<Workspace, 'command' | 'commandFolder'>;

/** The arguments that identify a bot on a command line. */
export type BotPlace = {
  /** Path of its settings file. */
  readonly config: string;
  /** Folder of its state; undefined if the settings decide it. */
  readonly home: string | undefined;
  readonly workspace: CommandPlace;
};

/** Returns the complete command; `line` is the subcommand and its arguments, already quoted. */
export function millraceCommand({ command }: CommandPlace, line: string): string {
  return `${command} ${line}`;
}

/** Returns the complete command `name` for a bot; `more` are further arguments, already quoted. */
export function botCommand(
  name: string,
  { config, home, workspace }: BotPlace,
  ...more: string[]
): string {
  const place = home === undefined ? [] : ['--home', quoted(home)];
  const settings = configArgument(config, workspace);
  return millraceCommand(workspace, [name, settings, ...more, ...place].join(' '));
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
export function exchangeCommand(workspace: CommandPlace, home: string, baseUrl: string): string {
  const { port, protocol } = new URL(baseUrl);
  const tls = protocol === 'https:' ? ' --tls' : '';
  return millraceCommand(workspace, `exchange --port ${port}${tls} --home ${quoted(home)}`);
}

/** Returns the shortest form of a path that works where the command is run. */
function configArgument(config: string, { commandFolder }: CommandPlace): string {
  return quoted(shortPath(config, commandFolder));
}

/** Returns `path` quoted for a shell. */
export function quoted(path: string): string {
  return /^[\w./@%+,:-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
