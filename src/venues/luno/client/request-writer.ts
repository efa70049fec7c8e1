/**
 * Writes the HTTP request of an operation, or the reason why it must not be sent.
 *
 * Invariant: method and path come from the declaration. The venue's settings can replace only a
 * path that the documents do not give, and only the whole path.
 */
import { ConfigError } from '../../../domain/errors.ts';
import { isPathShown, type Operation, type ParametersOf } from '../api/operation.ts';
import { type OperationName, type Operations, operations } from '../api/operations.ts';
import { encodeParameters } from '../api/request-parameters.ts';
import { encodeJsonBody } from '../api/wallet/json-body.ts';
import type { HttpRequest } from './http-exchange.ts';
import { signedHeadersOf, type WalletAccess } from './signer.ts';

type Written = Omit<HttpRequest, 'deadlineMs'> | { readonly refusal: string };

export type RequestWriter = <Name extends OperationName>(
  name: Name,
  parameters: ParametersOf<Operations[Name]>,
  /** For a signed operation: an account, for whose owner the caller acts. */
  ownerAccountId?: string,
) => Written;

export type RequestWriterOptions = {
  /** Value of the Authorization header; without it only public operations can be written. */
  readonly authorization: (() => string) | undefined;
  /** Without it only operations outside the wallet document can be written. */
  readonly wallet: WalletAccess | undefined;
  readonly paths: Readonly<Record<string, string>>;
  readonly allow: readonly OperationName[];
};

const mebibyte = 1024 * 1024;
const responseBytesMax = 8 * mebibyte;
/** The full order book, with every order, is the only large answer. */
const bookBytesMax = 64 * mebibyte;
/** Texts that are the same in a form, as nearly all are. */
const needsNoEscape = /^[\w.*-]*$/u;

/**
 * Returns the writer. Throws ConfigError if a path must not be replaced or has the wrong form, or
 * if the allow-list names an unknown operation.
 */
export function createRequestWriter(options: RequestWriterOptions): RequestWriter {
  const paths = checkedPaths(options.paths);
  const unknown = options.allow.find((name) => !Object.hasOwn(operations, name));
  if (unknown !== undefined)
    throw new ConfigError(`allow names an unknown operation: "${unknown}"`);
  const allowed: ReadonlySet<string> = new Set(options.allow);
  const replaced = new Map(
    [...paths].map(([name, path]) => [name, { ...operations[name], path } as Operation]),
  );
  return (name, parameters, ownerAccountId) => {
    if (!Object.hasOwn(operations, name)) return { refusal: `unknown operation ${name}` };
    if (!allowed.has(name)) return { refusal: `${name} is not on the client's allow-list` };
    const operation: Operation = replaced.get(name) ?? operations[name];
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': 'millrace',
    };
    if (operation.authentication === 'basic') {
      if (options.authorization === undefined) return { refusal: `${name} needs an API key` };
      headers['authorization'] = options.authorization();
    }
    if (operation.authentication === 'signed' && options.wallet === undefined)
      return { refusal: `${name} needs a wallet signer` };
    let encoded: Encoded;
    try {
      encoded = encodeParameters(operation, parameters as ParametersOf<Operation>);
    } catch (error) {
      return { refusal: error instanceof Error ? error.message : `${name}: wrong parameters` };
    }
    const limit = name === 'orderBook' ? bookBytesMax : responseBytesMax;
    const placed = placeParameters(operation, encoded);
    if (placed.contentType !== undefined) headers['content-type'] = placed.contentType;
    const { method } = operation;
    const { path, body } = placed;
    if (operation.authentication === 'signed' && options.wallet !== undefined) {
      const access =
        ownerAccountId === undefined ? options.wallet : { ...options.wallet, ownerAccountId };
      try {
        const toSign = { method, target: path, body: body ?? '' };
        Object.assign(headers, signedHeadersOf(access, toSign));
      } catch (error) {
        return {
          refusal: `${name} could not be signed: ${error instanceof Error ? error.message : ''}`,
        };
      }
    }
    return { method, headers, responseBytesMax: limit, path, body };
  };
}

type Encoded = ReturnType<typeof encodeParameters>;

/** Puts the parameters that are not in the path into the query or the body. */
function placeParameters(
  operation: Operation,
  { path, pairs }: Encoded,
): { readonly path: string; readonly body?: string; readonly contentType?: string } {
  const isRead = operation.method === 'GET';
  if (!isRead && operation.encoding === 'json')
    return { path, body: encodeJsonBody(operation, pairs), contentType: 'application/json' };
  const text = formOf(pairs);
  if (isRead) return { path: text === '' ? path : `${path}?${text}` };
  // A DELETE or PUT with all its parameters in the path has no body.
  if (text === '') return { path };
  return { path, body: text, contentType: 'application/x-www-form-urlencoded' };
}

function formOf(pairs: Encoded['pairs']): string {
  let form = '';
  for (const [name, text] of pairs) {
    if (!needsNoEscape.test(text))
      return new URLSearchParams(pairs as [string, string][]).toString();
    form += form === '' ? `${name}=${text}` : `&${name}=${text}`;
  }
  return form;
}

function checkedPaths(paths: Readonly<Record<string, string>>): ReadonlyMap<OperationName, string> {
  for (const [name, path] of Object.entries(paths)) {
    if (!Object.hasOwn(operations, name))
      throw new ConfigError(`path of unknown operation ${name}`);
    const declared: Operation = operations[name as OperationName];
    if (isPathShown(declared))
      throw new ConfigError(`path of ${name} is documented and cannot be changed`);
    if (!/^(?:\/(?!\.{1,2}(?:\/|$))[\w:.-]+)+$/u.test(path))
      throw new ConfigError(`path of ${name} must look like "${declared.path}", was "${path}"`);
    if (parametersOf(path) !== parametersOf(declared.path))
      throw new ConfigError(`path of ${name} must have the parameters of "${declared.path}"`);
  }
  return new Map(Object.entries(paths) as [OperationName, string][]);
}

function parametersOf(path: string): string {
  return (path.match(/:\w+/gu) ?? []).sort().join(' ');
}
