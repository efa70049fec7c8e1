/**
 * The client of the exchange's API: a typed method for every declared operation, and `request`,
 * which returns the outcome as a value instead of throwing.
 *
 * Invariants: a request is sent at most once; only operations on the allow-list are sent, with the
 * method and path of their declaration; credentials go only to the configured address.
 */
import { ConfigError, NotSentError } from '../../../domain/errors.ts';
import type { Timers } from '../../../runtime/timers.ts';
import type { Credentials } from '../../../venue/key-credentials.ts';
import type { OrderGuard } from '../../../venue/order-guard.ts';
import type { Operation, ParametersOf, ResponseOf } from '../api/operation.ts';
import { type OperationName, type Operations, operations } from '../api/operations.ts';
import type { Reply } from '../api/reply.ts';
import { keyOf } from './credentials.ts';
import { createHttp } from './http.ts';
import { ownKeyProblem } from './own-key.ts';
import { readReply } from './read-reply.ts';
import { errorOfReply } from './reply-error.ts';
import { createRequestWriter } from './request-writer.ts';
import { checkedAccess, type WalletAccess } from './signer.ts';

export type ClientOptions = {
  /** `https://…`; `http://` for this machine only. */
  readonly baseUrl: string;
  /** Without them only public operations can be called. */
  readonly credentials?: Credentials | undefined;
  /** Required to call the operations of the wallet document. */
  readonly wallet?: WalletAccess | undefined;
  /** Path by operation name, only for operations whose path the documents do not give. */
  readonly paths?: Readonly<Record<string, string>> | undefined;
  /** The operations that may be sent; all declared operations unless given. */
  readonly allow?: readonly OperationName[] | undefined;
  /** Checks every finished request; a request with an objection is not sent. */
  readonly guard?: Pick<OrderGuard, 'inspect'> | undefined;
  /** Called before each request, which waits for the returned promise. */
  readonly beforeCall?: (() => Promise<void> | undefined) | undefined;
  readonly timers: Timers;
  /** Default deadline of a whole request; 4000 unless given. */
  readonly deadlineMs?: number | undefined;
  /** 2000 unless given. */
  readonly connectTimeoutMs?: number | undefined;
  /** An additional certificate authority to trust, as PEM text. */
  readonly certificateAuthority?: string | undefined;
};

export type RequestOptions = {
  readonly deadlineMs?: number | undefined;
  /** Wallet document only: act for the owner of this account instead of the client's account. */
  readonly ownerAccountId?: string | undefined;
};

/**
 * The typed methods. Each resolves with the declared response, or rejects with NotSentError,
 * OutcomeUnknownError or ExchangeRefusedError, whose `recovery` says what the caller may do.
 * Payments require an idempotency key, which the documents make optional.
 */
type Methods = {
  readonly [Name in OperationName]: (
    parameters: ParametersOf<Operations[Name]>,
    options?: RequestOptions,
  ) => Promise<ResponseOf<Operations[Name]>>;
};

export type Client = Methods & {
  /** Sends one request and returns its outcome. Never throws, never sends twice. */
  readonly request: <Name extends OperationName>(
    name: Name,
    parameters: ParametersOf<Operations[Name]>,
    options?: RequestOptions,
  ) => Promise<Reply<Name>>;
  /** Ends all connections. Pending requests end as `no-answer`; later ones are not sent. */
  readonly close: () => Promise<void>;
};

const deadlineMsDefault = 4_000;

/** Returns a client. Throws ConfigError for a bad address, key, name, path or duration. */
export function createClient(options: ClientOptions): Client {
  const key = options.credentials === undefined ? undefined : keyOf(options.credentials);
  const write = createRequestWriter({
    authorization: key?.authorization,
    wallet: options.wallet && checkedAccess(options.wallet),
    paths: options.paths ?? {},
    allow: options.allow ?? names,
  });
  if (options.connectTimeoutMs !== undefined && !isDeadline(options.connectTimeoutMs))
    throw new ConfigError(`connectTimeoutMs must be at least 1, was ${options.connectTimeoutMs}`);
  const http = createHttp({
    baseUrl: options.baseUrl,
    timers: options.timers,
    ...(options.connectTimeoutMs === undefined
      ? {}
      : { connectTimeoutMs: options.connectTimeoutMs }),
    ...(options.certificateAuthority === undefined
      ? {}
      : { certificateAuthority: options.certificateAuthority }),
  });
  const hideKey = key?.hideIn ?? ((text: string) => text);
  const hideWallet = options.wallet?.signer.hideIn ?? ((text: string) => text);
  const hide = (text: string) => hideWallet(hideKey(text));
  const deadlineMsOfClient = checkedDeadline(options.deadlineMs ?? deadlineMsDefault);

  const request: Client['request'] = async (name, parameters, requestOptions) => {
    const { ownerAccountId, deadlineMs = deadlineMsOfClient } = requestOptions ?? {};
    const written = write(name, parameters, ownerAccountId);
    if ('refusal' in written) return { kind: 'not-sent', reason: hide(written.refusal) };
    const problem = optionsProblem(operations[name], requestOptions ?? {});
    if (problem !== undefined) return { kind: 'not-sent', reason: hide(problem) };
    if (!isDeadline(deadlineMs))
      return { kind: 'not-sent', reason: `deadline must be at least 1 ms, was ${deadlineMs}` };
    const objection = options.guard?.inspect(written);
    if (objection !== undefined)
      return { kind: 'not-sent', reason: hide(`egress guard: ${objection}`), isBlocked: true };
    const permission = options.beforeCall?.();
    if (permission !== undefined) await permission;
    const outcome = await http.exchange({ ...written, deadlineMs });
    // The operation's own schema decodes the body.
    const { response, authentication } = operations[name];
    const countsCalls = authentication !== 'none';
    return readReply(outcome, response, name, hide, countsCalls) as Reply<typeof name>;
  };
  const method =
    <Name extends OperationName>(name: Name) =>
    async (parameters: ParametersOf<Operations[Name]>, requestOptions?: RequestOptions) => {
      const problem = ownKeyProblem(operations[name], parameters);
      if (problem !== undefined) throw new NotSentError(problem);
      const reply = await request(name, parameters, requestOptions);
      if (reply.kind === 'ok') return reply.body;
      throw errorOfReply(operations[name], reply);
    };
  const methods = Object.fromEntries(names.map((name) => [name, method(name)]));
  return { ...(methods as unknown as Methods), request, close: http.close };
}

const names = Object.keys(operations) as OperationName[];

/** Returns what is wrong with the options of a request, or undefined. */
function optionsProblem(
  { name, authentication }: Operation,
  options: RequestOptions,
): string | undefined {
  const isKnown = (key: string) => key === 'deadlineMs' || key === 'ownerAccountId';
  const unknown = Object.keys(options).find((key) => !isKnown(key));
  if (unknown !== undefined)
    return `${name} has no option ${unknown}; the options are deadlineMs and ownerAccountId`;
  if (options.ownerAccountId === undefined || authentication === 'signed') return undefined;
  return `${name} cannot act for the owner of another account: leave ownerAccountId out`;
}

function isDeadline(deadlineMs: number): boolean {
  return Number.isFinite(deadlineMs) && deadlineMs >= 1;
}

function checkedDeadline(deadlineMs: number): number {
  if (isDeadline(deadlineMs)) return deadlineMs;
  throw new ConfigError(`deadline must be at least 1 ms, was ${deadlineMs}`);
}
