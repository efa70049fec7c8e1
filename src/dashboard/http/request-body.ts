/** Reads the JSON body of a POST, up to a size. */
import type { IncomingMessage } from 'node:http';
import type { Problem } from './answer.ts';

const bodyBytesMax = 8_192;

const tooLarge: Problem = {
  status: 413,
  code: 'TOO_LARGE',
  text: `the body may have at most ${bodyBytesMax} bytes`,
};

/** Returns the value, or what is wrong. A body that is too large is not read to its end. */
export function readJson(
  request: IncomingMessage,
): Promise<{ readonly value: unknown } | { readonly problem: Problem }> {
  return new Promise((resolve) => {
    const type = request.headers['content-type'] ?? '';
    if (!/^application\/json\s*(?:;|$)/iu.test(type)) {
      const text = 'the content type must be application/json';
      resolve({ problem: { status: 415, code: 'NOT_JSON', text } });
      return;
    }
    if (Number.parseInt(request.headers['content-length'] ?? '0', 10) > bodyBytesMax) {
      resolve({ problem: tooLarge });
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('error', () => resolve({ problem: invalid }));
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bodyBytesMax) chunks.push(chunk);
      else {
        request.pause();
        resolve({ problem: tooLarge });
      }
    });
    request.on('end', () => {
      try {
        resolve({ value: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
      } catch {
        resolve({ problem: invalid });
      }
    });
  });
}

const invalid: Problem = { status: 400, code: 'NOT_JSON', text: 'the body is not JSON' };
