/**
 * One line of a capture: the time of receipt, the market, the kind of the entry, and its text.
 *
 *     1754300000123456 XBTZAR f {"sequence":"24353",…}    a frame as received
 *     1754300000123456 XBTZAR j "{\n…}"                   a frame with line breaks, as JSON text
 *     1754300000100000 XBTZAR s {"sequence":"24353",…}    the recorder's book, as a frame
 *     1754300000120000 XBTZAR o                           the stream was opened
 *     1754300009000000 XBTZAR c disconnected              the stream ended, and why: a gap follows
 *     1754300009000000 XBTZAR d 17                        17 lines were dropped here: a gap
 *     1754300009500000 reference v {"value":"1012000"}   what a feed of the bot said
 *     1754300000000000 XBTZAR m {"pair":"XBTZAR",…}       the market's rules: at the start, daily
 *     1754300000000000 - b {"venue":"simulator",…}        the file begins, and whose frames it has
 *     1754300099000000 - e                                the file was closed; another may follow
 *
 * The time is in microseconds since the epoch, by the recorder's clock, and never goes back.
 */
import { DecodeError } from '../../domain/errors.ts';

export type CaptureKind =
  | 'begin'
  | 'market'
  | 'opened'
  | 'closed'
  | 'frame'
  | 'book'
  | 'dropped'
  | 'feed'
  | 'end';

export type CaptureEntry = {
  readonly atMicros: number;
  /** The name of a feed, or `-` for an entry without a market. */
  readonly pair: string;
  readonly kind: CaptureKind;
  /** The frame, the reason, or JSON. */
  readonly text: string;
};

const letters: Readonly<Record<CaptureKind, string>> = {
  begin: 'b',
  market: 'm',
  opened: 'o',
  closed: 'c',
  frame: 'f',
  book: 's',
  dropped: 'd',
  feed: 'v',
  end: 'e',
};
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter, kind]));
const form = /^(\d{1,16}) (\S{1,40}) ([a-z])(?: (.*))?$/su;

/** Returns the entry as a line, without a line feed. */
export function encodeCaptureEntry({ atMicros, pair, kind, text }: CaptureEntry): string {
  const place = `${atMicros} ${pair}`;
  if (!/[\n\r]/u.test(text)) return `${place} ${letters[kind]} ${text}`;
  if (kind === 'frame') return `${place} j ${JSON.stringify(text)}`;
  return `${place} ${letters[kind]} ${text.replaceAll(/[\n\r]+/gu, ' ')}`;
}

/** Returns the entry of a line. Throws {@link DecodeError}; its message begins with `where`. */
export function decodeCaptureEntry(line: string, where: string): CaptureEntry {
  const [, time = '', pair = '', letter = '', rest = ''] = form.exec(line) ?? [];
  const atMicros = Number.parseInt(time, 10);
  if (letter === 'j') return { atMicros, pair, kind: 'frame', text: textOf(rest, where) };
  const kind = kinds.get(letter) as CaptureKind | undefined;
  if (kind === undefined)
    throw new DecodeError(`${where}: is not a line of a capture: ${line.slice(0, 80)}`);
  return { atMicros, pair, kind, text: rest };
}

function textOf(json: string, where: string): string {
  try {
    const text: unknown = JSON.parse(json);
    if (typeof text === 'string') return text;
  } catch (cause) {
    throw new DecodeError(`${where}: a frame is not JSON text`, { cause });
  }
  throw new DecodeError(`${where}: a frame is not JSON text`);
}
