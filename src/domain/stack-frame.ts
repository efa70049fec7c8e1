/** Reads the file and line from one line of a stack trace, as V8 and Node write it. */
import { fileURLToPath } from 'node:url';

export type CodePlace = {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
};

/**
 *     at Object.run (file:///home/me/my%20bots/mine(1)/strategy.ts:4:135)
 *
 * A URL contains no spaces. If the file did not compile, no column follows the line number.
 */
const urlFrame = /(?:^| |\()(file:\/\/\/\S+?):(\d+)(?::\d+)?\)?$/u;

/**
 *     at require (/home/me/my bots/mine(1)/node_modules/x/index.js:2:9)
 *
 * A path may contain anything, so it is recognised only by its start and by what follows it.
 */
const pathFrame = /(?:^\s+at (?:async )?|\()(\/.+?):(\d+):\d+\)?$/u;

/** Returns the place, or undefined if the line names no file: Node's own code or a message. */
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
    // The text of an error may look like a URL.
    return undefined;
  }
}
