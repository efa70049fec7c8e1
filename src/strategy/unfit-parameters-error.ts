/**
 * Parameters that do not fit the plugin's schema, with the list of issues, so that the settings
 * reader can add the line of each.
 */
import type { z } from 'zod';
import { ConfigError } from '../domain/errors.ts';

export class UnfitParametersError extends ConfigError {
  readonly strategyId: string;
  /** Their paths are relative to the strategy's `parameters`. */
  readonly issues: readonly z.core.$ZodIssue[];
  /** The names of the plugin's parameters; empty if its schema does not list them. */
  readonly keys: readonly string[];
  /** Returns the schema's issues with other parameters. */
  readonly issuesOf: (parameters: unknown) => readonly z.core.$ZodIssue[];

  constructor(
    message: string,
    unfit: Pick<UnfitParametersError, 'strategyId' | 'issues' | 'keys' | 'issuesOf'>,
  ) {
    super(message);
    this.strategyId = unfit.strategyId;
    this.issues = unfit.issues;
    this.keys = unfit.keys;
    this.issuesOf = unfit.issuesOf;
  }
}
