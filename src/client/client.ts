/**
 * Our side of the exchange's interface: one typed method for every declared operation, and
 * `request`, which returns what became of a request as a value.
 *
 * Invariants: a request leaves at most once; only operations on the allow-list leave, by the method
 * and path of their declaration; credentials go to the configured address and appear nowhere else.
 */
import { ConfigError, NotSentError } from '../domain/errors.ts';
import type { Operation, ParametersOf, ResponseOf } from '../exchange-api/operation.ts';
import { type OperationName, type Operations, operations } from '../exchange-api/operations.ts';
import type { Reply } from '../exchange-api/reply.ts';
import type { Timers } from '../runtime/timers.ts';
import { type Credentials, keyOf } from './credentials.ts';
import type { EgressGuard } from './egress-guard.ts';
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
  /** For the operations of the wallet document; without it none of them can be called. */
  readonly wallet?: WalletAccess | undefined;
  /** Path by operation name, only for operations whose path the documents do not show. */
  readonly paths?: Readonly<Record<string, string>> | undefined;
  /** The operations that may leave this machine; all declared ones unless given. */
  readonly allow?: readonly OperationName[] | undefined;
  /** Looks at every finished request; what it objects to does not leave. */
  readonly guard?: Pick<EgressGuard, 'inspect'> | undefined;
  /** Asked before each request leaves; it waits for what is returned. */
  readonly beforeCall?: (() => Promise<void> | undefined) | undefined;
  readonly timers: Timers;
  /** For a whole request unless it gives its own; 4000 unless given. */
  readonly deadlineMs?: number | undefined;
  /** 2000 unless given. */
  readonly connectTimeoutMs?: number | undefined;
  /** Certificate authority to trust besides the known ones, as PEM text. */
  readonly certificateAuthority?: string | undefined;
};

export type RequestOptions = {
  readonly deadlineMs?: number | undefined;
  /** Wallet document only: act for the owner of this account instead of the client's own. */
  readonly ownerAccountId?: string | undefined;
};

/**
 * The typed methods. Each resolves with the declared response, or rejects with NotSentError,
 * OutcomeUnknownError or ExchangeRefusedError, whose `recovery` says what may be done. Those that
 * pay refuse to go without a key of the caller's own, which the documents leave optional.
 */
type Methods = {
  readonly [Name in OperationName]: (
    parameters: ParametersOf<Operations[Name]>,
    options?: RequestOptions,
  ) => Promise<ResponseOf<Operations[Name]>>;
};

export type Client = Methods & {
  /** Sends one request and returns what became of it. Never throws, never sends twice. */
  readonly request: <Name extends OperationName>(
    name: Name,
    parameters: ParametersOf<Operations[Name]>,
    options?: RequestOptions,
  ) => Promise<Reply<Name>>;
  /** Ends all connections. Requests under way end with no answer, later ones are not sent. */
  readonly close: () => Promise<void>;
};

const deadlineMsDefault = 4_000;

/** Returns a client. Throws ConfigError for what cannot work: address, key, names, paths, times. */
export function createClient(options: ClientOptions): Client {
  const key = options.credentials === undefined ? undefined : keyOf(options.credentials);
  const write = createRequestWriter({
    authorization: key?.authorization,
    wallet: options.wallet && checkedAccess(options.wallet),
    paths: options.paths ?? {},
    allow: options.allow ?? names,
  });
  if (options.connectTimeoutMs !== undefined && !isDeadline(options.connectTimeoutMs))
    throw new ConfigError(`connectTimeoutMs must be 1 or more, was ${options.connectTimeoutMs}`);
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
  const deadlineMsUnlessGiven = checkedDeadline(options.deadlineMs ?? deadlineMsDefault);

  const request: Client['request'] = async (name, parameters, requestOptions) => {
    const { ownerAccountId, deadlineMs = deadlineMsUnlessGiven } = requestOptions ?? {};
    const written = write(name, parameters, ownerAccountId);
    if ('refusal' in written) return { kind: 'not-sent', reason: hide(written.refusal) };
    const problem = optionsProblem(operations[name], requestOptions ?? {});
    if (problem !== undefined) return { kind: 'not-sent', reason: hide(problem) };
    if (!isDeadline(deadlineMs))
      return { kind: 'not-sent', reason: `deadline must be 1 ms or more, was ${deadlineMs}` };
    const objection = options.guard?.inspect(written);
    if (objection !== undefined)
      return { kind: 'not-sent', reason: hide(`egress guard: ${objection}`), isBlocked: true };
    const isHeldBy = options.beforeCall?.();
    if (isHeldBy !== undefined) await isHeldBy;
    const outcome = await http.exchange({ ...written, deadlineMs });
    // The schema of this operation makes the body.
    return readReply(outcome, operations[name].response, name, hide) as Reply<typeof name>;
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

/** Returns why the options of a request cannot be meant, undefined if they can. */
function optionsProblem(
  { name, authentication }: Operation,
  options: RequestOptions,
): string | undefined {
  const isKnown = (key: string) => key === 'deadlineMs' || key === 'ownerAccountId';
  const unknown = Object.keys(options).find((key) => !isKnown(key));
  if (unknown !== undefined)
    return `${name} has no option ${unknown}; there are deadlineMs and ownerAccountId`;
  if (options.ownerAccountId === undefined || authentication === 'signed') return undefined;
  return `${name} cannot act for the owner of another account: leave ownerAccountId out`;
}

function isDeadline(deadlineMs: number): boolean {
  return Number.isFinite(deadlineMs) && deadlineMs >= 1;
}

function checkedDeadline(deadlineMs: number): number {
  if (isDeadline(deadlineMs)) return deadlineMs;
  throw new ConfigError(`deadline must be 1 ms or more, was ${deadlineMs}`);
}
