/**
 * Reads the parameters of a request from where its operation expects them: query and form, or JSON
 * body.
 */
import type { Operation } from '../../api/operation.ts';
import { type DecodedParameters, decodeParameters } from '../../api/request-parameters.ts';
import { decodeJsonBody } from '../../api/wallet/json-body.ts';
import { type Refusal, refuse, refuseArguments } from '../core/refusal.ts';
import type { SimulatorRequest } from '../core/simulator-request.ts';
import type { Route } from './operation-route.ts';

type Values = { readonly kind: 'valid'; readonly values: unknown } | Refusal;

/**
 * Returns the values of the request's parameters, or why they cannot be read. Strictly, only what
 * the documents describe can be read.
 */
export function requestValuesOf(
  operation: Operation,
  { pathValues }: Pick<Route, 'pathValues'>,
  request: SimulatorRequest,
  isStrict: boolean,
): Values {
  if (operation.encoding === 'json' && operation.method !== 'GET')
    return jsonValuesOf(operation, pathValues, request, isStrict);
  if (request.bodyKind === 'other' || request.bodyKind === 'json')
    return refuse(
      'ErrInvalidParameters',
      'Parameters must travel in the query or as application/x-www-form-urlencoded',
    );
  const decoded = decodeParameters(operation, pathValues, request.pairs, isStrict);
  if (decoded.kind === 'valid') return decoded;
  // The real exchange answers a missing pair like an unknown one.
  const isPublic = operation.authentication === 'none';
  const hasPair = request.pairs.some(
    ([key, text]) => /^pair(?:\[\d*\])?$/u.test(key) && text !== '',
  );
  if (isPublic && !hasPair && decoded.fields.includes('pair'))
    return refuse('ErrMarketUnavailable', 'Market not available');
  return refusalOf(decoded);
}

function jsonValuesOf(
  operation: Operation,
  pathValues: Route['pathValues'],
  request: SimulatorRequest,
  isStrict: boolean,
): Values {
  if (request.bodyKind !== 'json')
    return refuse('ErrRequestBodyFormat', 'The body must be application/json');
  const body = decodeJsonBody(operation, request.signed?.body ?? '');
  if (body.kind === 'malformed')
    return refuse('ErrRequestBodyFormat', 'The body must be one JSON object');
  if (body.kind === 'invalid')
    return refuseArguments(body.fields, `Of the wrong type: ${body.fields.join(', ')}`);
  const decoded = decodeParameters(operation, pathValues, body.pairs, isStrict);
  return decoded.kind === 'valid' ? decoded : refusalOf(decoded);
}

function refusalOf(invalid: Extract<DecodedParameters<Operation>, { kind: 'invalid' }>): Refusal {
  const { errorCode: code, message, fields } = invalid;
  return { ...refuse(code, message), ...(code === 'ErrInvalidArguments' ? { fields } : {}) };
}
