/** Faults of the simulated exchange, or on the way to it, that the prover must find. */
import type { OperationName } from '../../src/venues/luno/api/operations.ts';
import type { Refusal } from '../../src/venues/luno/simulator/core/refusal.ts';
import { handlers, type OperationContext } from '../../src/venues/luno/simulator/world/handlers.ts';
import {
  createDirectDriver,
  type Driver,
  type DriverOptions,
} from '../support/interface-driver.ts';
import { credentialHeaders } from '../support/raw-request.ts';

export const interfacePlants = {
  'lost-cent': 'a limit order that is accepted costs an account a cent',
  'missing-permission': 'withdrawals are listed for every key',
  'ignored-limit': 'list orders v2 answers all orders, whatever its limit',
  'wrong-code': 'a price that is too low is refused as too high',
  'foreign-code': 'a stop of an unknown order is refused with a code of another operation',
  'unasked-failure': 'every 20th ledger reading fails',
  'thrown-error': 'a quote for a flipped pair ends the exchange',
  'used-up-by-refusal': 'a refused call uses up an id',
  'lost-command': 'one call in 200 is not written to the log',
  'other-answer': 'tickers are different over HTTP',
  'mute-status': 'the market stream says nothing of a new status',
} as const;
export type InterfacePlant = keyof typeof interfacePlants;

type AnyHandler = (
  parameters: Readonly<Record<string, unknown>>,
  context: OperationContext,
) => unknown;
type Wrap = (handler: AnyHandler) => AnyHandler;

/** Runs `work` with the handlers that the plant breaks, and mends them. */
export async function withPlant<T>(plant: string | undefined, work: () => Promise<T>): Promise<T> {
  const table = handlers as unknown as Record<string, AnyHandler>;
  const whole = { ...table };
  for (const [name, wrap] of Object.entries(brokenHandlers(plant)))
    table[name] = wrap(whole[name] as AnyHandler);
  try {
    return await work();
  } finally {
    Object.assign(table, whole);
  }
}

function brokenHandlers(plant: string | undefined): Readonly<Partial<Record<OperationName, Wrap>>> {
  let count = 0;
  switch (plant as InterfacePlant | undefined) {
    case 'lost-cent':
      return {
        postorder: (handler) => (parameters, context) => {
          const answer = handler(parameters, context);
          const [account] = context.exchange.state.accounts.values();
          if (!isRefusal(answer) && account !== undefined) account.balance -= cent;
          return answer;
        },
      };
    case 'ignored-limit':
      return {
        listOrdersV2: (handler) => (parameters, context) =>
          handler({ ...parameters, limit: 1000 }, context),
      };
    case 'wrong-code':
      return { postorder: otherCode('ErrPriceTooLow', 'ErrPriceTooHigh') };
    case 'foreign-code':
      return {
        stoporder: otherCode('ErrCannotStopUnknownOrNonPendingOrder', 'ErrWithdrawalNotFound'),
      };
    case 'unasked-failure':
      return {
        transactions: (handler) => (parameters, context) =>
          ++count % 20 === 0
            ? { kind: 'refused', code: 'ErrInternal', message: 'Internal failure' }
            : handler(parameters, context),
      };
    case 'thrown-error':
      return {
        createQuote: (handler) => (parameters, context) => {
          if (parameters['pair'] === 'ZARXBT') throw new Error('flipped');
          return handler(parameters, context);
        },
      };
    case 'used-up-by-refusal': {
      const wrap: Wrap = (handler) => (parameters, context) => {
        const answer = handler(parameters, context);
        if (isRefusal(answer)) context.exchange.state.idCount += 1;
        return answer;
      };
      return { postorder: wrap, marketorder: wrap, send: wrap, createMove: wrap, stoporder: wrap };
    }
    default:
      return {};
  }
}

/** 0.01 in the units of accounts. */
const cent = 10n ** 16n;

function otherCode(code: Refusal['code'], instead: Refusal['code']): Wrap {
  return (handler) => (parameters, context) => {
    const answer = handler(parameters, context);
    return isRefusal(answer) && answer.code === code ? { ...answer, code: instead } : answer;
  };
}

function isRefusal(answer: unknown): answer is Refusal {
  return (answer as { readonly kind?: unknown }).kind === 'refused';
}

/** A driver whose way to the exchange the plant breaks. */
export function plantedDriver(plant: string | undefined): (options: DriverOptions) => Driver {
  if (plant === 'lost-command')
    return ({ record, ...options }) => {
      let calls = 0;
      return createDirectDriver({
        ...options,
        record: (command) => {
          if (command.kind !== 'call' || ++calls % 200 !== 0) record?.(command);
        },
      });
    };
  if (plant === 'missing-permission')
    return (options) => {
      const driver = createDirectDriver(options);
      const listing = { method: 'GET', authentication: 'basic' } as const;
      const headers = credentialHeaders(listing, 'desk', { url: '' }, 0);
      return {
        ...driver,
        raw: (request) =>
          driver.raw(
            /^\/api\/1\/withdrawals(?:\?|$)/u.test(request.url) && request.method === 'GET'
              ? { ...request, headers }
              : request,
          ),
      };
    };
  return createDirectDriver;
}

/** Breaks what comes back over HTTP. */
export function plantedNetwork(plant: string | undefined, driver: Driver): Driver {
  if (plant !== 'other-answer') return driver;
  const call: Driver['call'] = async (name, ...rest) => {
    const reply = await driver.call(name, ...rest);
    return name === 'tickers' && reply.kind === 'ok' ? { ...reply, body: { tickers: [] } } : reply;
  };
  return { ...driver, call };
}

/** Whether the listener of the streams gets a frame. */
export function isHeard(plant: string | undefined, frame: string): boolean {
  return plant !== 'mute-status' || !frame.includes('"status_update":{');
}
