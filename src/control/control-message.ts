/**
 * What goes over a bot's control channel: one request and its answers, a JSON object a line each.
 *
 *     {"command":"halt","reason":"news","scope":"pair:XBTZAR"}
 *     {"isDone":true,"isRefused":false,"text":"pair:XBTZAR is HALTED, …"}
 *
 * Invariant: there is no command that places an order, raises a limit or opens a file. An approval
 * lets one order pass that a strategy wishes for, and only the soft limit.
 */
export const controlCommands = ['halt', 'reduce', 'resume', 'kill', 'approve', 'status'] as const;

export type ControlRequest = {
  readonly command: (typeof controlCommands)[number];
  /** Empty for `status`. */
  readonly reason: string;
  /** `bot`, `strategy:<id>` or `pair:<pair>`; only of halt, reduce and resume. */
  readonly scope?: string;
  /** Of an approval: from the refusal that asked for it. */
  readonly token?: string;
  /** Of a kill: the process stops when it is done. */
  readonly thenStop?: boolean;
};

export type ControlAnswer = {
  /** The last answer to this request. */
  readonly isDone: boolean;
  readonly isRefused: boolean;
  readonly text: string;
  /** Of a kill that has ended: open orders of ours. */
  readonly remaining?: number;
  /** Of `status`. */
  readonly status?: Readonly<Record<string, unknown>>;
};

const reasonLengthMax = 500;
/** Longest path of a socket that every system takes, in bytes. */
const pathBytesMax = 103;

/** Returns where the bot of a database listens; undefined if the path is too long for a socket. */
export function controlPathOf(store: string): string | undefined {
  const path = `${store}.control/bot`;
  return Buffer.byteLength(path) <= pathBytesMax ? path : undefined;
}

/** Returns the request in `line`, or what is wrong with it. */
export function parseControlRequest(line: string): ControlRequest | { readonly problem: string } {
  const told = objectOf(line);
  if (told === undefined) return { problem: 'the request is not a JSON object' };
  const { command, reason = '', scope, token, thenStop, ...unknown } = told;
  const [stranger] = Object.keys(unknown);
  if (stranger !== undefined) return { problem: `unknown member "${stranger}"` };
  const known = controlCommands.find((one) => one === command);
  if (known === undefined)
    return { problem: `command must be one of ${controlCommands.join(', ')}` };
  if (typeof reason !== 'string' || !/^\P{Cc}*$/u.test(reason) || reason.length > reasonLengthMax)
    return { problem: `reason must be one line of at most ${reasonLengthMax} characters` };
  if (known !== 'status' && reason.trim() === '') return { problem: 'say why: reason is empty' };
  if (scope !== undefined && (typeof scope !== 'string' || known === 'kill'))
    return { problem: 'scope must be text, and a kill has none' };
  const isToken = typeof token === 'string' && /^[0-9a-f]{16}$/u.test(token);
  if (known === 'approve' ? !isToken : token !== undefined)
    return { problem: 'an approval, and nothing else, has a token of 16 digits of 0-9 and a-f' };
  if (thenStop !== undefined && typeof thenStop !== 'boolean')
    return { problem: 'thenStop must be true or false' };
  return {
    command: known,
    reason,
    ...(scope === undefined ? {} : { scope }),
    ...(isToken ? { token } : {}),
    ...(thenStop === undefined ? {} : { thenStop }),
  };
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
