/** Users for whose accounts the caller may act. */
import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { integer, optional } from '../parameter.ts';
import { list, optionalText, textId, time } from '../wire.ts';

export const linkedUsers = operation({
  name: 'linkedUsers',
  method: 'GET',
  path: '/api/1/users/linked',
  source: 'facts',
  aliases: ['/api/1/users/list'],
  repeat: 'read',
  description:
    'Lists the users that are linked with the caller, in order of linking. The documented path ' +
    '/api/1/users/list works, too.',
  parameters: {
    limit: optional(
      integer(limits.listLimitMin, limits.listLimitMax, 'ErrLimitOutOfRange'),
      'at most this many, 100 unless given',
    ),
    offset: optional(integer(0, 1_000_000), 'how many to skip, 0 unless given'),
  },
  errors: ['ErrInvalidArguments', 'ErrLimitOutOfRange'],
  response: z.object({
    users: list(
      z.object({
        user_id: textId,
        label: optionalText,
        permissions: list(z.string()),
        created_at: time,
      }),
    ),
  }),
});
