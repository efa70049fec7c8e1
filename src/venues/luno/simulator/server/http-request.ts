/**
 * Converts an HTTP request to a {@link SimulatorRequest}: query and form to pairs, the basic
 * authorization header to credentials.
 */
import { signatureHeaders } from '../../api/wallet/signature.ts';
import type { Credentials } from '../core/api-key.ts';
import type { SignedParts, SimulatorRequest } from '../core/simulator-request.ts';

export type HttpRequest = {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  readonly address: string;
  readonly authorization: string | undefined;
  /** Names in lower case. Only the headers of a signature are used. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: HttpBody | undefined;
};

export type HttpBody = { readonly kind: 'form' | 'json' | 'other'; readonly text: string };

export function simulatorRequestOf(request: HttpRequest): SimulatorRequest {
  const mark = request.url.indexOf('?');
  const path = mark === -1 ? request.url : request.url.slice(0, mark);
  const query = mark === -1 ? '' : request.url.slice(mark + 1);
  const form = request.body?.kind === 'form' ? request.body.text : '';
  return {
    method: request.method,
    path,
    // The form comes first, because the documentation puts parameters there: if a name occurs in
    // both, the first value counts.
    pairs: [...new URLSearchParams(form), ...new URLSearchParams(query)],
    address: request.address,
    credentials: credentialsOf(request.authorization),
    bodyKind: request.body === undefined ? 'none' : request.body.kind,
    signed: {
      target: request.url,
      headers: signatureHeadersOf(request.headers),
      body: request.body?.text ?? '',
    },
  };
}

function signatureHeadersOf(headers: HttpRequest['headers']): SignedParts['headers'] {
  // Requests of the exchange API, which are frequent, have no signature.
  if (headers[signatureHeaders.key] === undefined) return {};
  return Object.fromEntries(
    Object.values(signatureHeaders).map((name) => [name, headers[name]?.toString()]),
  );
}

/** Returns the credentials of a basic authorization header, or undefined for any other header. */
export function credentialsOf(header: string | undefined): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/iu.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 1 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}
