/** How one operation of the page's API is declared: its types, checks and documentation. */
import type * as z from 'zod';

export type ApiOperation = {
  readonly method: 'GET' | 'POST';
  /** Below {@link apiRoot}, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** Query parameters: text that the schema turns into values. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** The answer as JSON; for a stream of events, what each event carries, by its name. */
  readonly answer?: z.ZodType;
  readonly events?: Readonly<Record<string, z.ZodType>>;
  /** `none`: anybody who may connect; `view`: the view token or its cookie; `command`: both tokens. */
  readonly access: 'none' | 'view' | 'command';
  /** Query or body of the example in the documentation. */
  readonly example?: Readonly<Record<string, string | number>>;
};

export const apiRoot = '/api/v1';
/** Every POST must carry it, so that no form of another page can send one. */
export const requestHeader = 'x-millrace-request';
/** Carries the command token. */
export const commandTokenHeader = 'x-millrace-command-token';
