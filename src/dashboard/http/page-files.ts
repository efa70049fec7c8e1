/**
 * The files of a page: one HTML document and the bundle that it loads. The document has no data but
 * a block that says which page it is, so it needs no token.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { bundleFolder, linkedPage, type PageDocument } from '../../runtime/page-document.ts';
import type { PageRequest } from './page-server.ts';

/** Files of the bundle with another ending are not served. */
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

type File = { readonly type: string; readonly body: Buffer; readonly tag: string };

export class PageFiles {
  readonly #files: Map<string, File>;

  constructor(document: PageDocument) {
    const text = Buffer.from(linkedPage(document));
    this.#files = new Map([['/', fileOf('text/html; charset=utf-8', text)]]);
    for (const name of readdirSync(bundleFolder)) {
      const type = types[extname(name)];
      if (type !== undefined)
        this.#files.set(`/${name}`, fileOf(type, readFileSync(join(bundleFolder, name))));
    }
  }

  /** Answers a request for one of the files; returns false for any other request. */
  answer({ method, path, message }: PageRequest, response: ServerResponse): boolean {
    const file = method === 'GET' ? this.#files.get(path) : undefined;
    if (file === undefined) return false;
    // The browser asks again each time, and gets the file only if it has changed.
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('etag', file.tag);
    if (message.headers['if-none-match'] === file.tag) response.writeHead(304).end();
    else {
      response.writeHead(200, {
        'content-type': file.type,
        'content-length': file.body.length,
      });
      response.end(file.body);
    }
    return true;
  }
}

function fileOf(type: string, body: Buffer): File {
  const tag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  return { type, body, tag };
}
