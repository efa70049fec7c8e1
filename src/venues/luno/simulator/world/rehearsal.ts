/**
 * Checks an operator's command before it is logged: what it names must exist at the exchange, and
 * a trial on a copy must neither fail nor break an invariant.
 *
 * A command can name something that only a later call uses, such as the user of a new key. So a
 * trial alone would let it pass, and the exchange would end at that call, also after a restart.
 */
import { currencies, isCryptoCurrency } from '../../api/currencies.ts';
import type { Exchange } from '../core/exchange.ts';
import { type Restriction, restrictions } from '../core/restrictions.ts';
import { faultsOf } from './truth.ts';
import { restoreWorld, type World } from './world.ts';
import type { Control } from './world-command.ts';

/** Returns why the command cannot be executed, or undefined if it can. Changes nothing. */
export function problemOf(control: Control, world: World): string | undefined {
  const named = badReferenceOf(control, world.exchange);
  if (named !== undefined) return named;
  const silent = { onMarketUpdate: () => {}, onUserMessage: () => {} };
  const copy = restoreWorld(world.snapshot(), silent, world.flow);
  try {
    copy.apply({ ...control, timeMicros: world.timeMicros });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return faultsOf(copy.exchange)[0];
}

/** Returns what is wrong with the first thing that the command names, or undefined. */
function badReferenceOf(control: Control, exchange: Exchange): string | undefined {
  const { state } = exchange;
  const { money } = state;
  const market = (pair: string) => missing('market', pair, state.markets.keys());
  const user = (id: string) => missing('user', id, recordedUsersOf(exchange));
  const key = (id: string) => missing('key', id, state.keys.keys());
  const account = (id: string) => missing('account', id, state.accounts.keys());
  const address = (text: string) => missing('receive address', text, money.addresses.keys());
  const newKey = (id: string): string | undefined => {
    if (state.keys.has(id)) return `key ${id} exists already; choose another id`;
    const isOffered = [...money.grants.values()].some(({ keyId }) => keyId === id);
    return isOffered ? `key ${id} is offered by a grant already; choose another id` : undefined;
  };
  switch (control.kind) {
    case 'set-status':
      return market(control.pair);
    case 'set-trading-state':
      return (
        ('pair' in control ? market(control.pair) : undefined) ??
        ('userId' in control ? user(control.userId) : undefined)
      );
    case 'revoke-key':
      return key(control.keyId);
    case 'add-key':
      return user(control.userId) ?? newKey(control.keyId);
    case 'deposit':
      return account(control.accountId);
    case 'open-account':
      return user(control.userId) ?? currency(control.currency, exchange);
    case 'restrict':
      return badSubjectOf(control.restriction, control.subject, exchange);
    case 'crypto-deposit':
    case 'drop-crypto-deposits':
      return address(control.address);
    case 'set-email':
      return user(control.userId);
    case 'link-user':
      return user(control.userId);
    case 'offer-grant':
      return (
        user(control.clientUserId) ??
        user(control.userId) ??
        newKey(control.keyId) ??
        (money.grants.has(control.code)
          ? `code ${control.code} is offered already; choose another`
          : undefined)
      );
    case 'delegate':
      return key(control.keyId) ?? user(control.ownerUserId);
    case 'fiat-deposit':
      return account(control.accountId) ?? bankless(control.accountId, exchange);
    case 'set-fiat-deposit-status': {
      const ids = state.wallet.fiatDeposits.map(({ id }) => id);
      return missing('fiat deposit', control.depositId, ids);
    }
    case 'fail-next':
      return undefined;
  }
}

/** Returns what is wrong with the subject of a restriction; any text may be a foreign address. */
function badSubjectOf(
  restriction: Restriction,
  subject: string,
  exchange: Exchange,
): string | undefined {
  const kind = restrictions[restriction].subject;
  const user = (id: string) => missing('user', id, recordedUsersOf(exchange));
  switch (kind) {
    case 'user':
      return user(subject);
    case 'user/currency': {
      const [id = '', name, ...more] = subject.split('/');
      if (name === undefined || more.length > 0)
        return `the subject of ${restriction} is a user and a currency, such as "desk/ZAR", not "${subject}"`;
      return user(id) ?? currency(name, exchange);
    }
    case 'currency':
      return currency(subject, exchange);
    case 'beneficiary': {
      const { users } = exchange.state.money;
      const ids = [...users.values()].flatMap(({ beneficiaries }) => [...beneficiaries.keys()]);
      return missing('beneficiary', subject, ids);
    }
    case 'all':
      return subject === 'all' ? undefined : `the subject of ${restriction} is "all"`;
    case 'address':
      return undefined;
  }
}

function currency(name: string, { state }: Exchange): string | undefined {
  const traded = [...state.markets.values()].flatMap(({ market }) => [market.base, market.counter]);
  return missing('currency', name, new Set([...traded, ...currencies]));
}

function bankless(accountId: string, exchange: Exchange): string | undefined {
  const { currency: name } = exchange.accountOf(accountId);
  if (!isCryptoCurrency(name)) return undefined;
  return `account ${accountId} is in ${name}, which no bank sends; use deposit or crypto-deposit`;
}

/** The users that the exchange's operator may name; its own users have no keys and no streams. */
function recordedUsersOf({ state }: Exchange): readonly string[] {
  return [...state.users.values()].filter(({ isRecorded }) => isRecorded).map(({ id }) => id);
}

const namedMax = 40;

/** Returns that there is no such thing, and which there are, unless `id` is among `known`. */
function missing(what: string, id: string, known: Iterable<string>): string | undefined {
  const all = [...known];
  if (all.includes(id)) return undefined;
  const more = all.length > namedMax ? `, and ${all.length - namedMax} more` : '';
  return `no ${what} "${id}"; there are ${all.slice(0, namedMax).join(', ') || 'none'}${more}`;
}
