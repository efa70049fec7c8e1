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

export type ErrorBody = {
  readonly code: string;
  readonly message: string;
  /** The offending parameters, where the body lists any. */
  readonly fields?: readonly string[];
};

/** Returns what an error body says, or undefined if `body` is none. */
export function decodeErrorBody(body: unknown): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const members = body as Readonly<Record<string, unknown>>;
  const code = [members['error_code'], members['errorCode'], members['code']].find(
    (member) => typeof member === 'string' && codeShape.test(member),
  );
  if (typeof code !== 'string') return undefined;
  const message = [members['error'], members['message']].find((m) => typeof m === 'string');
  // No document names the member that lists the fields; no other is a list of names.
  const fields = Object.values(members).find(isListOfNames);
  return {
    code,
    message: typeof message === 'string' ? message : '',
    ...(fields === undefined ? {} : { fields }),
  };
}

function isListOfNames(member: unknown): member is readonly string[] {
  const isName = (one: unknown) => typeof one === 'string' && codeShape.test(one);
  return Array.isArray(member) && member.length > 0 && member.length <= 50 && member.every(isName);
}

/** Returns the body as the exchange writes it; invalid-argument errors also list the fields. */
export function encodeErrorBody(
  error: Pick<ErrorBody, 'code' | 'message'>,
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
