/** What a strategy asked for in a test, and when. */
import type { Intent } from '../domain/intent.ts';

/** An intent as the strategy emitted it, and when, in milliseconds after the start of the run. */
export type TimedIntent = { readonly atMs: number; readonly intent: Intent };
