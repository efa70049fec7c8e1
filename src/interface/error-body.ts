/**
 * The body of a refusal.
 *
 *     {"error":"Market not available","error_code":"ErrMarketUnavailable"}
 *
 * The documents spell the members differently (`code`/`message`, `errorCode`/`message`); all are
 * read. Where a key is needed the exchange adds `error_action`, an empty object.
 */

// The longest documented code has 43 characters; text of another shape is no code of the exchange.
const codeShape = /^[\w.-]{1,100}$/u;

export type ErrorBody = { readonly code: string; readonly message: string };

/** Returns the code and message of an error body, or undefined if `body` is none. */
export function decodeErrorBody(body: unknown): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const members = body as Readonly<Record<string, unknown>>;
  const code = [members['error_code'], members['errorCode'], members['code']].find(
    (member) => typeof member === 'string' && codeShape.test(member),
  );
  if (typeof code !== 'string') return undefined;
  const message = [members['error'], members['message']].find((m) => typeof m === 'string');
  return { code, message: typeof message === 'string' ? message : '' };
}

/** Returns the body as the exchange writes it; invalid-argument errors also list the fields. */
export function encodeErrorBody(
  error: ErrorBody,
  {
    fields = [],
    isAuthenticated = false,
  }: {
    readonly fields?: readonly string[] | undefined;
    /** Whether the operation needs a key. */
    readonly isAuthenticated?: boolean;
  } = {},
): object {
  return {
    error: error.message,
    error_code: error.code,
    ...(isAuthenticated ? { error_action: {} } : {}),
    ...(fields.length === 0 ? {} : { fields }),
  };
}
