/**
 * Finds out which permissions an API key has, over its own connection, by a fixed list of calls
 * that cannot change anything. The API has no call that lists permissions, so a permission is
 * missing if the exchange refuses a call because of it.
 *
 * Invariants: the calls are literals of this file; each is sent at most once; a read asks for as
 * little as possible; a write lacks a parameter that it would need to have an effect. None of this
 * has been verified against the real service.
 */
import { NotSentError } from '../../../domain/errors.ts';
import type { Timers } from '../../../runtime/timers.ts';
import type { Credentials } from '../../../venue/key-credentials.ts';
import type { KeyFinding, KeyFindings } from '../../../venue/key-findings.ts';
import { decodeErrorBody } from '../api/error-body.ts';
import { permissions } from '../api/permissions.ts';
import { keyOf } from './credentials.ts';
import { createHttp, type Http } from './http.ts';
import type { HttpOutcome } from './http-exchange.ts';
import { type PermissionName, useOf } from './key-permissions.ts';

export type KeyProbeOptions = {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly wanted: readonly PermissionName[];
  readonly timers: Timers;
  readonly certificateAuthority?: string | undefined;
  /** Called before each call, which waits for the returned promise. */
  readonly beforeCall?: (() => Promise<void> | undefined) | undefined;
};

type Probe = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
};

/** An id that no order, account, withdrawal or beneficiary has. */
const nobody = '0';

/** One call for each permission that an operation needs. */
export const keyProbes: Readonly<Partial<Record<PermissionName, Probe>>> = {
  Perm_R_Balance: { method: 'GET', path: '/api/1/balance?assets=XBT' },
  Perm_R_Transactions: {
    method: 'GET',
    path: `/api/1/accounts/${nobody}/transactions?min_row=1&max_row=2`,
  },
  Perm_R_Orders: { method: 'GET', path: '/api/1/listorders?state=PENDING&limit=1' },
  // Expected: ErrCannotStopUnknownOrNonPendingOrder.
  Perm_W_Orders: {
    method: 'POST',
    path: '/api/1/stoporder',
    body: 'order_id=millrace-keycheck',
  },
  // The next four lack their required parameter, or name an id that does not exist.
  Perm_W_Send: { method: 'POST', path: '/api/1/address/validate', body: '' },
  Perm_W_Withdrawals: { method: 'DELETE', path: `/api/1/withdrawals/${nobody}` },
  Perm_W_Beneficiaries: { method: 'DELETE', path: `/api/1/beneficiaries/${nobody}` },
  Perm_W_Addresses: { method: 'PUT', path: `/api/1/accounts/${nobody}/name` },
  Perm_R_Addresses: { method: 'GET', path: '/api/1/funding_address' },
  Perm_R_Withdrawals: { method: 'GET', path: `/api/1/withdrawals/${nobody}` },
  Perm_R_Beneficiaries: {
    method: 'GET',
    path: '/api/1/beneficiaries?bank_recipient=millrace-keycheck',
  },
  Perm_R_Transfers: { method: 'GET', path: '/api/exchange/1/transfers' },
};

const deadlineMs = 4_000;
const responseBytesMax = 1024 * 1024;
const untestable = 'no documented operation needs it, so no call can show it';

/**
 * Tests each of the `wanted` permissions in turn. Throws ConfigError for an unsafe address or a
 * malformed key, and NotSentError if the exchange cannot be reached.
 */
export async function probeKey(options: KeyProbeOptions): Promise<KeyFindings> {
  const key = keyOf(options.credentials);
  const { baseUrl, timers, certificateAuthority } = options;
  const http = createHttp({
    baseUrl,
    timers,
    connectionsMax: 1,
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
  });
  try {
    const findings: KeyFinding[] = [];
    for (const permission of options.wanted) {
      const probe = keyProbes[permission];
      if (probe === undefined) {
        findings.push(findingOf(permission, 'untestable', untestable));
        continue;
      }
      await options.beforeCall?.();
      const outcome = await ask(http, probe, key.authorization());
      if (outcome.kind === 'not-sent')
        throw new NotSentError(
          `${baseUrl} cannot be reached: ${outcome.reason}; check the address of the venue`,
        );
      const { state, text } = readAnswer(outcome);
      const answer = `${probe.method} ${probe.path.split('?')[0]}: ${key.hideIn(text)}`;
      if (state === 'refused') return { refused: answer, findings };
      findings.push(findingOf(permission, state, answer));
    }
    return { refused: undefined, findings };
  } finally {
    await http.close();
  }
}

function findingOf(
  permission: PermissionName,
  state: KeyFinding['state'],
  answer: string,
): KeyFinding {
  const { value, meaning } = permissions[permission];
  return { permission, value, meaning, use: useOf(permission), state, answer };
}

function ask(http: Http, probe: Probe, authorization: string): Promise<HttpOutcome> {
  return http.exchange({
    method: probe.method,
    path: probe.path,
    headers: {
      accept: 'application/json',
      'user-agent': 'millrace',
      authorization,
      ...(probe.body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: probe.body,
    deadlineMs,
    responseBytesMax,
  });
}

type Answer = { readonly state: KeyFinding['state'] | 'refused'; readonly text: string };

/**
 * A 2xx, or a refusal for another reason, shows that the key has the permission. A page of a proxy
 * or a login page shows nothing, whatever its status.
 */
function readAnswer(outcome: HttpOutcome): Answer {
  if (outcome.kind !== 'answer') return { state: 'unknown', text: outcome.reason };
  const { status } = outcome;
  const body = jsonOf(outcome.body);
  const code = decodeErrorBody(body)?.code;
  const text = `${status}${code === undefined ? '' : ` ${code}`}`;
  if (status === 401) return { state: 'refused', text };
  if (code === 'ErrInsufficientPerms') return { state: 'missing', text };
  const isGranted = status >= 200 && status < 300 && (body !== undefined || status === 204);
  if (isGranted) return { state: 'granted', text };
  const isRefusal = status >= 400 && status < 500 && status !== 429 && code !== undefined;
  if (isRefusal) return { state: status === 403 ? 'missing' : 'granted', text };
  return { state: 'unknown', text: body === undefined ? `${text} without JSON` : text };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}
