/** Reads where code is from one line of a stack, as V8 and Node write it. */
import { fileURLToPath } from 'node:url';

export type CodePlace = {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
};

/**
 *     at Object.run (file:///home/me/my%20bots/mine(1)/strategy.ts:4:135)
 *
 * A URL has no blank. Its line stands alone, without a column, where a text could not be compiled.
 */
const urlFrame = /(?:^| |\()(file:\/\/\/\S+?):(\d+)(?::\d+)?\)?$/u;

/**
 *     at require (/home/me/my bots/mine(1)/node_modules/x/index.js:2:9)
 *
 * A path may hold anything, so that only where it begins and what follows it says what it is.
 */
const pathFrame = /(?:^\s+at (?:async )?|\()(\/.+?):(\d+):\d+\)?$/u;

/** Returns the place; undefined for a line that names no file, as Node's own or an error's text. */
export function codePlaceOf(frame: string): CodePlace | undefined {
  const [, url, urlLine = ''] = urlFrame.exec(frame) ?? [];
  const [, path, pathLine = ''] = pathFrame.exec(frame) ?? [];
  const file = url === undefined ? path : pathOf(url);
  const line = Number.parseInt(url === undefined ? pathLine : urlLine, 10);
  return file === undefined ? undefined : { file, line };
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    // The text of an error may look like a URL and be none.
    return undefined;
  }
}
