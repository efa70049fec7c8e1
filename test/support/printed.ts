/** Reads what a command has printed into a stream. */
import type { Readable } from 'node:stream';

/**
 * Returns, and consumes, all text that waits in a stream: '' if there is none. Since Node 26,
 * `read()` returns the chunks of a stream one by one.
 */
export function printed(stream: Readable): string {
  let text = '';
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += String(chunk);
  return text;
}
