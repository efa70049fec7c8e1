/**
 * The error body of a refusal.
 *
 *     {"error":"Market not available","error_code":"ErrMarketUnavailable",
 *      "message":"Market not available"}
 *
 * The wire has the text as `error`, the document as `message`; both are written. The documents also
 * spell the code differently (`code`, `errorCode`); all spellings are accepted. For operations that
 * need a key, the exchange adds an empty object `error_action`.
 */

// The longest documented code has 43 characters. Text of another form is not an error code.
const codeShape = /^[\w.-]{1,100}$/u;

export type ErrorBody = {
  readonly code: string;
  readonly message: string;
  /** The wrong parameters, if the body lists them. */
  readonly fields?: readonly string[];
};

/** Returns the content of an error body, or undefined if `body` is not one. */
export function decodeErrorBody(body: unknown): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const members = body as Readonly<Record<string, unknown>>;
  const code = [members['error_code'], members['errorCode'], members['code']].find(
    (member) => typeof member === 'string' && codeShape.test(member),
  );
  if (typeof code !== 'string') return undefined;
  const message = [members['error'], members['message']].find((m) => typeof m === 'string');
  // The documents do not name the member with the fields, but no other member is a list of names.
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

/** Returns the body as the exchange writes it; invalid-argument errors also list `fields`. */
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
    message: error.message,
    ...(isAuthenticated ? { error_action: {} } : {}),
    ...(fields.length === 0 ? {} : { fields }),
  };
}
