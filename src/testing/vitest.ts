/**
 * The entry `millrace/testing/vitest`: importing it adds the matchers to vitest's `expect`. Only who
 * has vitest imports it.
 */
import { matchers, type RunMatchers } from './matchers.ts';

const { expect } = await import('vitest');
expect.extend(matchers);

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends RunMatchers<R> {
    /** Keeps the second parameter in use, which vitest's own declaration has. */
    readonly '~subject'?: T;
  }
}
