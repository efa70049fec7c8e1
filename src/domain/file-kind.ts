/** Recognises files of Millrace by their first bytes, for errors about one of another kind. */

export type FileKind =
  | 'capture'
  | 'recording'
  | 'database'
  | 'journal'
  | 'result'
  | 'page'
  | 'scenario'
  | 'bot';

type Known = { readonly kind: FileKind; readonly begins: RegExp; readonly what: string };

/** Enough bytes to recognise every kind of file. */
export const fileHeadBytes = 65_536;

/** In this order: the first match decides. */
const known: readonly Known[] = [
  {
    kind: 'capture',
    begins: /^MILLCAP/u,
    what: 'a capture; `compile` makes a recording of it, and `verify` checks it',
  },
  {
    kind: 'recording',
    begins: /^MILLREC/u,
    what: 'a recording; `export` and `verify` take it, and `backtest` a scenario that names it',
  },
  {
    kind: 'database',
    begins: /^SQLite format 3/u,
    what: 'a database; `status`, `why` and `report` take the settings of its bot',
  },
  {
    kind: 'journal',
    begins: /^[0-9a-f]{8} \{"kind":"(?:header|segment)"/u,
    what: 'a journal; `replay` and `compare` take it',
  },
  {
    kind: 'result',
    begins: /^\{\s*"scenario":/u,
    what: 'the result of a backtest; `compare` takes two, `export` one, and `backtest` its scenario',
  },
  {
    kind: 'page',
    begins: /^<!doctype html>/iu,
    what: 'a page for a browser, which no command takes',
  },
  { kind: 'scenario', begins: /^scenario:/mu, what: 'a scenario; `backtest` takes it' },
  {
    kind: 'bot',
    begins: /^mode:/mu,
    what: 'the settings of a bot; `start`, `run` and `status` take them',
  },
];

/** Returns the kind of a Millrace file from its first bytes; undefined for any other file. */
export function fileKindOf(head: string): FileKind | undefined {
  return known.find(({ begins }) => begins.test(head))?.kind;
}

/**
 * Returns what the file that begins with `head` is and which command takes it, if it is a file of
 * Millrace of a kind other than `wanted`; undefined if it is not.
 */
export function otherKindOf(head: string, wanted: FileKind): string | undefined {
  const found = known.find(({ begins }) => begins.test(head));
  return found === undefined || found.kind === wanted ? undefined : found.what;
}
