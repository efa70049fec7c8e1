/**
 * The control interface over HTTP: lets tests and programs in any language operate the simulated
 * exchange. Off by default; every request carries the token of {@link controlTokenPath}.
 *
 *     GET  /millrace/control               → {"timeMs":…,"isStopped":false,"flows":[],"faults":[]}
 *     GET  /millrace/control/truth/desk    → orders, trades and ledgers as the exchange has them
 *     POST /millrace/control               a command of control-command.ts as a JSON object:
 *          {"kind":"deposit","accountId":"8203463422864003664","amount":"0.5"}
 *          {"kind":"stop-time"}  {"kind":"resume-time"}  {"kind":"advance-time","ms":60000}
 *          {"kind":"set-stream-signal","signal":"keep-alive","isOn":false}   until the next start
 *
 * An answer is JSON; a refusal is 400, 401, 404, 405, 415 or 429 with {"error": …} and changes
 * nothing.
 */

import type { TokenVerdict } from '../../../../runtime/token-guard.ts';
import { stringifyWireJson } from '../../api/wire-json.ts';
import type { Simulator } from '../world/simulator.ts';
import { type ControlCommand, parseControl } from './control-command.ts';
import type { ControlBody, ControlRequest } from './http-server.ts';

export const controlPath = '/millrace/control';

export type ControlAnswer = { readonly status: number; readonly body: ControlBody };

export type ControlPort = {
  readonly judgeToken: (authorization: string | undefined) => TokenVerdict;
  readonly simulator: Simulator;
  /** Executes everything that is due. */
  readonly catchUp: () => void;
  readonly isStopped: () => boolean;
  /** Executes a command that was checked. */
  readonly execute: (command: ControlCommand) => void;
};

/** Returns the answer to a request, or undefined if it is not for the control interface. */
export function answerControl(
  { method, url, authorization, body }: ControlRequest,
  port: ControlPort,
): ControlAnswer | undefined {
  const path = url.split('?')[0] as string;
  if (path !== controlPath && !path.startsWith(`${controlPath}/`)) return undefined;
  const verdict = port.judgeToken(authorization);
  if (verdict === 'too-many')
    return refuse(429, 'too many wrong control tokens within a minute; wait one minute');
  if (verdict === 'wrong')
    return refuse(
      401,
      'the control token is missing or wrong; send it as "Authorization: Bearer TOKEN"',
    );
  port.catchUp();
  const { simulator } = port;
  if (path !== controlPath)
    return method === 'GET' ? readTruth(path, simulator) : refuse(405, `use GET, not ${method}`);
  if (method === 'GET') return answer({ ...stateOf(port), faults: simulator.faults() });
  if (method !== 'POST') return refuse(405, `use GET or POST, not ${method}`);
  if (body?.kind === 'form') return refuse(415, 'the body must be JSON');
  const parsed = parseControl(body?.text ?? '', simulator);
  if ('problem' in parsed) return refuse(400, parsed.problem);
  port.execute(parsed.command);
  return answer(stateOf(port));
}

function stateOf({ simulator, isStopped, catchUp }: ControlPort) {
  catchUp();
  return {
    timeMs: Math.floor(simulator.timeMicros / 1000),
    isStopped: isStopped(),
    flows: simulator.flows(),
  };
}

function readTruth(path: string, simulator: Simulator): ControlAnswer {
  const userId = new RegExp(`^${controlPath}/truth/([A-Za-z0-9_-]{1,64})$`, 'u').exec(path)?.[1];
  const isKnown = userId !== undefined && simulator.userIds().includes(userId);
  return isKnown
    ? { status: 200, body: simulator.truthPieces(userId) }
    : refuse(404, 'no such user');
}

function answer(value: object): ControlAnswer {
  return { status: 200, body: stringifyWireJson(value) };
}

function refuse(status: number, error: string): ControlAnswer {
  return { status, body: JSON.stringify({ error }) };
}
