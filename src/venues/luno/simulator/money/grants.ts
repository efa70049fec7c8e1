/**
 * The legacy grant: an existing application exchanges a code for an API key. A caller to whom no
 * code was offered is a new application, which the API refuses.
 */
import { createApiKey } from '../core/api-key.ts';
import { type Calls, change } from '../core/plan.ts';
import { refuse } from '../core/refusal.ts';

export const grantCalls: Pick<Calls, 'grant'> = {
  grant: ({ code }, { exchange, user }) => {
    const { grants } = exchange.state.money;
    const isKnown = [...grants.values()].some(({ clientUserId }) => clientUserId === user.id);
    if (!isKnown) return refuse('ErrUnauthorised', 'Grants are not available to new applications');
    const grant = grants.get(code);
    if (grant === undefined || grant.clientUserId !== user.id)
      return refuse('ErrNotFound', 'Unknown code');
    return change(() => {
      grants.delete(code);
      const { keyId: id, secret, userId, permissions } = grant;
      exchange.state.keys.set(id, createApiKey({ id, secret }, { userId, permissions }));
      return { api_key_id: id, api_key_secret: secret };
    });
  },
};
