/** Whether an answer to a random call keeps what the interface promises, whatever the call was. */
import * as z from 'zod';
import { decodeErrorBody } from '../../src/venues/luno/api/error-body.ts';
import { type ErrorCode, errorCodes } from '../../src/venues/luno/api/error-codes.ts';
import { limits } from '../../src/venues/luno/api/limits.ts';
import type { Operation } from '../../src/venues/luno/api/operation.ts';
import { walletErrorCodeOf } from '../../src/venues/luno/api/wallet/error-names.ts';
import { parseWireJson, stringifyWireJson } from '../../src/venues/luno/api/wire-json.ts';
import { documentedOperations } from './documented-operations.ts';
import type { RawAnswer } from './interface-driver.ts';
import type { RandomCall } from './random-call.ts';

const documented = new Map(documentedOperations.map((one) => [one.name, one]));

/** What every operation may answer besides its own codes. */
const common: readonly ErrorCode[] = ['ErrInsufficientPerms', 'ErrAPIKeyNotFound'];
const commonOfWallet: readonly ErrorCode[] = [
  'ErrInsufficientPermissions',
  'ErrInvalidAPIKey',
  'ErrInvalidAuth',
  'ErrIncorrectHMACSignature',
];

/** Returns what is wrong with the answer, in a sentence, or undefined; a value to learn from. */
export function checkAnswer(
  call: RandomCall,
  answer: RawAnswer,
): { readonly fault?: string; readonly code?: ErrorCode; readonly value?: unknown } {
  const { operation } = call;
  const { status, body } = answer;
  const fault = (text: string) => ({
    fault: `${operation.name}: ${text}, answer ${status} ${body}`,
  });
  const access = accessFault(call, status);
  if (access !== undefined) return fault(access);
  // The only refusal that is not JSON, and a part of a path that is not there.
  if (status === 401 && body === 'Unauthorized\n') return {};
  if (status === 204) return operation.emptyAnswer ? {} : fault('no body');
  let value: unknown;
  try {
    value = parseWireJson(body);
  } catch {
    return fault('the body is not JSON');
  }
  if (status === 200) return checkSuccess(call, value, fault);
  const code = decodeErrorBody(value)?.code;
  if (code === undefined || !Object.hasOwn(errorCodes, code)) return fault('no known error code');
  const known = code as ErrorCode;
  if (status !== errorCodes[known].status) return fault('not the status of its code');
  if (status >= 500) return fault('a failure that nobody asked for');
  const shape = bodyFault(operation, known, value as Readonly<Record<string, unknown>>);
  if (shape !== undefined) return fault(shape);
  if (!codesOf(operation).has(known)) return fault(`${code} is not among its codes`);
  return { code: known };
}

/**
 * The wallet document has two members. Other errors have their text twice, since clients read
 * either name, and list the fields of invalid arguments.
 */
function bodyFault(
  { authentication, document, parameters }: Operation,
  code: ErrorCode,
  body: Readonly<Record<string, unknown>>,
): string | undefined {
  const { message, ...rest } = body;
  const members = Object.keys(rest).sort().join(' ');
  if (typeof message !== 'string') return 'an error without a message';
  if (document === 'wallet')
    return members === 'errorCode' ? undefined : `an error with the members ${members}`;
  if (message !== body['error']) return 'an error whose texts differ';
  const expected = authentication === 'none' ? 'error error_code' : 'error error_action error_code';
  if (code !== 'ErrInvalidArguments')
    return members === expected ? undefined : `an error with the members ${members}`;
  if (members !== `${expected} fields`) return `an error with the members ${members}`;
  const fields = body['fields'];
  if (!Array.isArray(fields) || fields.length === 0) return 'no fields are named';
  const unknown = fields.filter((field) => !Object.hasOwn(parameters, String(field)));
  return unknown.length === 0 ? undefined : `the fields ${unknown.join(', ')} are not parameters`;
}

function checkSuccess(
  { operation, texts, isReadable }: RandomCall,
  value: unknown,
  fault: (text: string) => { readonly fault: string },
) {
  if (!isReadable) return fault('a body that nobody can read was taken');
  const decoded = operation.response.safeParse(value);
  if (!decoded.success) return fault(`not the declared answer (${decoded.error.message})`);
  const again = stringifyWireJson(z.encode(operation.response, decoded.data));
  if (again !== stringifyWireJson(value)) return fault('written back it is different');
  const most = mostOf(operation, texts);
  const [list] = Object.values(value as object).filter((member) => Array.isArray(member));
  if (most !== undefined && Array.isArray(list) && list.length > most)
    return fault(`${list.length} entries, ${most} asked for`);
  return { value };
}

/** How many entries a call may get at most. */
function mostOf(operation: Operation, texts: RandomCall['texts']): number | undefined {
  const name = ['limit', 'pageSize'].find((one) => Object.hasOwn(operation.parameters, one));
  if (name === undefined) return undefined;
  const given = Number.parseInt(texts[name] ?? '', 10);
  return given > 0 ? given : limits.listLimitDefault;
}

/** Who may not call must get 401 or 403 and nothing else; who may must get neither. */
function accessFault({ operation, key }: RandomCall, status: number): string | undefined {
  const isOpen = operation.document === 'exchange' && permissionOf(operation) === '-';
  if (isOpen) return status === 401 || status === 403 ? 'market data asked for a key' : undefined;
  if (key === undefined || key === 'stranger' || key === 'wrong-secret')
    return status === 401 ? undefined : 'a caller without a key was served';
  const isForAll = permissionOf(operation).startsWith('MP_');
  if (key === 'nothing' && !isForAll)
    return status === 403 ? undefined : 'a key without permissions was served';
  return status === 403 ? 'a key with the permission was refused' : undefined;
}

function permissionOf(operation: Operation): string {
  return documented.get(operation.name)?.permission ?? operation.permission;
}

const codesByName = new Map<string, ReadonlySet<ErrorCode>>();

function codesOf(operation: Operation): ReadonlySet<ErrorCode> {
  let codes = codesByName.get(operation.name);
  if (codes === undefined) {
    const isWallet = operation.document === 'wallet';
    const all = [...operation.errors, ...(isWallet ? commonOfWallet : common)];
    codes = new Set(isWallet ? all.map(walletErrorCodeOf) : all);
    codesByName.set(operation.name, codes);
  }
  return codes;
}
