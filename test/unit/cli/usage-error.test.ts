/** An invalid command line is reported as in `docs/errors.md`, with the command for help. */

import { expect, it } from 'vitest';
import { usageError } from '../../../src/cli/usage-error.ts';
import { workspace } from '../../support/package-root.ts';

it.each([
  [
    "error: unknown command 'statis'\n(Did you mean status?)\n",
    undefined,
    "millrace: unknown command 'statis'; did you mean status? (MR_CONFIG)\nall commands: npm run --silent millrace -- --help\n",
  ],
  [
    "error: option '--for <span>' argument '60' is invalid. must be a span\n",
    'start',
    "millrace: option '--for <span>' argument '60' is invalid: must be a span (MR_CONFIG)\nits options: npm run --silent millrace -- start --help\n",
  ],
  [
    'use: config check FILE…',
    'config',
    'millrace: use: config check FILE… (MR_CONFIG)\nits options: npm run --silent millrace -- config --help\n',
  ],
])('%j', (text, command, expected) => {
  expect(usageError(text, command, workspace)).toBe(expected);
});
