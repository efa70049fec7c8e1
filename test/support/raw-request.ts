/** Requests by their texts, as no typed client would write them, with the credentials of a key. */

import { decodeErrorBody } from '../../src/venues/luno/api/error-body.ts';
import type { Operation } from '../../src/venues/luno/api/operation.ts';
import { type OperationName, operations } from '../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import { parseWireJson } from '../../src/venues/luno/api/wire-json.ts';
import { createHmacSigner, signedHeadersOf } from '../../src/venues/luno/client/signer.ts';
import { credentialsOf, type Driver, type KeyName, type RawRequest } from './interface-driver.ts';

const signers = new Map<KeyName, ReturnType<typeof createHmacSigner>>();

function signerOf(key: KeyName) {
  const signer = signers.get(key) ?? createHmacSigner(credentialsOf(key));
  signers.set(key, signer);
  return signer;
}

/** Returns the headers by which `key` shows itself to an operation. */
export function credentialHeaders(
  operation: Pick<Operation, 'method' | 'authentication'>,
  key: KeyName | undefined,
  { url: target, body = '' }: { readonly url: string; readonly body?: string },
  nowMicros: number,
): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  if (operation.authentication === 'signed') {
    const access = { signer: signerOf(key), clock: { nowMicros: () => nowMicros } };
    return signedHeadersOf(access, { method: operation.method, target, body });
  }
  const { keyId, keySecret } = credentialsOf(key);
  return { authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}` };
}

export type RawOptions = {
  readonly key?: KeyName | undefined;
  /** Instead of the one that the texts make. */
  readonly body?: string;
  /** Content type, if not the operation's. */
  readonly type?: string;
  /** Instead of those that the key makes. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends the texts where the operation has its parameters, and returns what it refuses. */
export async function sendTexts(
  driver: Driver,
  name: OperationName,
  texts: Readonly<Record<string, string>>,
  options: RawOptions = {},
): Promise<Reply> {
  const operation: Operation = operations[name];
  const inPath = Object.entries(texts).filter(([one]) => operation.path.includes(`:${one}`));
  const rest = Object.entries(texts).filter(([one]) => !operation.path.includes(`:${one}`));
  let path = operation.path;
  for (const [one, text] of inPath) path = path.replace(`:${one}`, encodeURIComponent(text));
  const form = new URLSearchParams(rest).toString();
  const isRead = operation.method === 'GET';
  const json = JSON.stringify(Object.fromEntries(rest));
  const body = options.body ?? (operation.encoding === 'json' ? json : form);
  const placed = isRead ? { url: form === '' ? path : `${path}?${form}` } : { url: path, body };
  const own =
    operation.encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const type = options.type ?? own;
  const { key = 'desk' } = options;
  const request: RawRequest = {
    method: operation.method,
    ...placed,
    headers: {
      ...(isRead ? {} : { 'content-type': type }),
      ...(options.headers ?? credentialHeaders(operation, key, placed, driver.timeMs() * 1000)),
    },
  };
  const answer = await driver.raw(request);
  if (answer.status < 400) return { kind: 'ok', status: answer.status, body: answer.body };
  const error = decodeErrorBody(parseWireJson(answer.body));
  if (error === undefined) return { kind: 'no-answer', reason: answer.body };
  return { kind: 'refused', status: answer.status, ...error };
}
