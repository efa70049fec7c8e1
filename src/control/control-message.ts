/**
 * The messages of a bot's control channel: one request and its answers, each a line of JSON.
 *
 *     {"command":"halt","reason":"news","scope":"pair:XBTZAR","by":"user ana"}
 *     {"isDone":true,"isRefused":false,"text":"pair:XBTZAR is HALTED, …"}
 *
 * `watch` is answered with the status several times a second, until the client leaves.
 *
 * Invariant: no command places an order, raises a limit or opens a file. An approval lets one order
 * of a strategy pass `approveAbove`, and no other limit. Parameters that are set stay in the range
 * that the plugin's code allows.
 */
import type { BotStatus } from '../domain/bot-status.ts';
import { type ParameterTexts, parameterTextsProblem } from '../domain/parameter-texts.ts';

const controlCommands = [
  'halt',
  'reduce',
  'resume',
  'kill',
  'approve',
  'set',
  'stop',
  'status',
  'watch',
] as const;

export type ControlRequest = {
  readonly command: (typeof controlCommands)[number];
  /** Empty for `status` and `watch`. */
  readonly reason: string;
  /** Who asks: `user NAME` of the system, or `page NAME`; stored with the command. */
  readonly by?: string;
  /** `bot`, `strategy:<id>` or `pair:<pair>`, for halt, reduce and resume; of set a strategy. */
  readonly scope?: string;
  /** For set: values of parameters by name. */
  readonly values?: ParameterTexts;
  /** For an approval: the token in the refusal that asked for it. */
  readonly token?: string;
  /** For a kill: the process stops afterwards. */
  readonly thenStop?: boolean;
};

export type ControlAnswer = {
  /** Whether this is the last answer to the request. */
  readonly isDone: boolean;
  readonly isRefused: boolean;
  readonly text: string;
  /** After a kill: the number of our orders that are still open. */
  readonly remaining?: number;
  /** For `status` and `watch`. */
  readonly status?: BotStatus;
};

const reasonLengthMax = 500;
/** Of who asks. */
export const nameLengthMax = 100;
/** The longest socket path that every system accepts, in bytes. */
const pathBytesMax = 103;

/** Returns the socket path of a database's bot, or undefined if it is too long for a socket. */
export function controlPathOf(store: string): string | undefined {
  const path = `${store}.control/bot`;
  return Buffer.byteLength(path) <= pathBytesMax ? path : undefined;
}

/** Returns the request in `line`, or what is wrong with it. */
export function parseControlRequest(line: string): ControlRequest | { readonly problem: string } {
  const given = objectOf(line);
  if (given === undefined) return { problem: 'the request is not a JSON object' };
  const { command, reason = '', by, scope, values, token, thenStop, ...unknown } = given;
  const [member] = Object.keys(unknown);
  if (member !== undefined) return { problem: `unknown member "${member}"` };
  const known = controlCommands.find((name) => name === command);
  if (known === undefined)
    return { problem: `command must be one of ${controlCommands.join(', ')}` };
  if (!isLine(reason, reasonLengthMax))
    return { problem: `reason must be one line of at most ${reasonLengthMax} characters` };
  const reads = known === 'status' || known === 'watch';
  if (!reads && reason.trim() === '') return { problem: 'reason is empty: say why' };
  if (by !== undefined && !(isLine(by, nameLengthMax) && /^(?:user|page) \S/u.test(by)))
    return {
      problem: `by must be "user NAME" or "page NAME", of at most ${nameLengthMax} characters`,
    };
  if (scope !== undefined && (typeof scope !== 'string' || !hasScope(known)))
    return { problem: 'scope must be text, and only halt, reduce, resume and set have one' };
  const isOfStrategy = typeof scope === 'string' && scope.startsWith('strategy:');
  if (known === 'set' && !isOfStrategy)
    return { problem: 'set needs the scope of one strategy, such as "strategy:mm"' };
  if (known !== 'set' && values !== undefined) return { problem: 'only set has values' };
  const valuesProblem = known === 'set' ? parameterTextsProblem(values) : undefined;
  if (valuesProblem !== undefined) return { problem: valuesProblem };
  const isToken = typeof token === 'string' && /^[0-9a-f]{16}$/u.test(token);
  if (known === 'approve' ? !isToken : token !== undefined)
    return {
      problem: 'an approval needs a token of 16 hexadecimal digits; other commands have no token',
    };
  if (thenStop !== undefined && typeof thenStop !== 'boolean')
    return { problem: 'thenStop must be true or false' };
  return {
    command: known,
    reason,
    ...(by === undefined ? {} : { by }),
    ...(scope === undefined ? {} : { scope }),
    ...(known === 'set' ? { values: values as ParameterTexts } : {}),
    ...(isToken ? { token } : {}),
    ...(thenStop === undefined ? {} : { thenStop }),
  };
}

function isLine(text: unknown, lengthMax: number): text is string {
  return typeof text === 'string' && /^\P{Cc}*$/u.test(text) && text.length <= lengthMax;
}

function hasScope(command: ControlRequest['command']): boolean {
  return ['halt', 'reduce', 'resume', 'set'].includes(command);
}

function objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
