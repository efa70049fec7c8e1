/** The legacy way for an application to get a user's key, with the user's permission. */
import * as z from 'zod';
import { operation } from '../operation.ts';
import { oneOf, required, text } from '../parameter.ts';

export const grant = operation({
  name: 'grant',
  method: 'POST',
  path: '/api/oauth2/grant',
  repeat: 'never',
  description:
    'Gives an application the key that belongs to a code. The credentials are those of the ' +
    'application. Not available to new applications, whose calls are not authorised.',
  parameters: {
    grant_type: required(oneOf(['authorization_code']), 'always authorization_code'),
    code: required(text(255), 'the code that the user gave the application'),
  },
  errors: ['ErrInvalidArguments', 'ErrUnauthorised', 'ErrNotFound'],
  response: z.object({ api_key_id: z.string().min(1), api_key_secret: z.string().min(1) }),
});
