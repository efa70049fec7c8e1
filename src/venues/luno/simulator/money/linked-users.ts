/** Handler of linked users: the users that are linked with the caller. */
import { limits } from '../../api/limits.ts';
import type { Handlers } from '../core/handler.ts';
import { moneyOf } from '../core/money-state.ts';

export const linkedUserHandlers: Pick<Handlers, 'linkedUsers'> = {
  linkedUsers: ({ limit = limits.listLimitDefault, offset = 0 }, { exchange, user }) => {
    const { linkedUsers } = moneyOf(exchange.state.money, user().id);
    return {
      users: linkedUsers.slice(offset, offset + limit).map((linked) => ({
        user_id: linked.userId,
        label: linked.label,
        permissions: [...linked.permissions],
        created_at: linked.linkedMs,
      })),
    };
  },
};
