/** Reads a venue outside of a run: at a start, in reports and comparisons. */
import {
  MillraceError,
  NotSentError,
  OutcomeUnknownError,
  type Recovery,
} from '../domain/errors.ts';
import { wrongText } from './row-checks.ts';
import type { VenueProperties } from './venue-properties.ts';
import type {
  Answers,
  Failure,
  ListEnd,
  Page,
  Reason,
  Refusal,
  VenueReply,
} from './venue-reply.ts';
import type { ReadKind, ReadRequest } from './venue-request.ts';

export interface VenueReader {
  readonly properties: VenueProperties;
  /** Asks once. Never throws, never sends twice. */
  ask<Request extends ReadRequest>(request: Request): Promise<VenueReply<Request['kind']>>;
}

export class VenueRefusedError extends MillraceError {
  readonly code = 'MR_EXCHANGE_REFUSED';
  readonly recovery: Recovery;
  readonly reason: Reason;

  constructor(message: string, refusal: Pick<Refusal, 'reason' | 'closesMarket'>) {
    super(message);
    this.reason = refusal.reason;
    this.recovery = recoveryOf(refusal);
  }
}

/** Returns what may be done after a refused read. */
function recoveryOf({ reason, closesMarket }: Pick<Refusal, 'reason' | 'closesMarket'>): Recovery {
  switch (reason) {
    case 'rejected':
    case 'market-closed':
    case 'would-take':
    case 'key-refused':
      return 'give-up';
    case 'throttled':
      return 'retry';
    default:
      return closesMarket === true ? 'give-up' : 'look-up';
  }
}

const names: Readonly<Record<ReadKind, string>> = {
  order: 'an order',
  orders: 'the list of orders',
  'own-trades': 'the list of own trades',
  movements: 'the ledger of an account',
  balances: 'the balances',
  markets: 'the list of markets',
  fees: 'the fees',
  'last-trade': 'the last trade',
  prices: 'the prices of all markets',
  candles: 'the candles',
};

/** Sends the request and returns its answer. Throws {@link MillraceError} if it fails. */
export async function read<Request extends ReadRequest>(
  reader: VenueReader,
  request: Request,
): Promise<Answers[Request['kind']]> {
  const reply = await reader.ask(request);
  if (reply.kind === 'ok') return reply.value;
  throw errorOf(request.kind, reply);
}

/** Returns the error for a request of `kind` that failed. */
export function errorOf(kind: ReadKind, failure: Failure): MillraceError {
  const asked = `the request for ${names[kind]}`;
  switch (failure.kind) {
    case 'not-sent':
      return new NotSentError(`${asked} was not sent: ${failure.why}`);
    case 'no-answer':
      return new OutcomeUnknownError(`${asked} had no usable answer: ${failure.why}`);
    case 'refused':
      return new VenueRefusedError(
        `${asked} was refused: ${failure.code}: ${failure.text}`,
        failure,
      );
  }
}

type PagedKind = {
  [Kind in ReadKind]: Answers[Kind] extends Page<infer _> ? Kind : never;
}[ReadKind];
type PagedRequest = Extract<ReadRequest, { readonly kind: PagedKind }>;
type RowOf<Kind extends PagedKind> = Answers[Kind]['rows'][number];

/** Yields the pages of a list. Throws {@link MillraceError} for one that cannot be read. */
export async function* readPages<Request extends PagedRequest>(
  reader: VenueReader,
  request: Request,
): AsyncGenerator<Page<RowOf<Request['kind']>>, void> {
  let page: Page<RowOf<Request['kind']>> | undefined;
  do {
    page = await read(reader, { ...request, cursor: page?.next });
    yield page;
  } while (page.end === undefined);
}

export type ReadList<Row> = {
  /** As the pages show them: a row may come twice. */
  readonly rows: readonly Row[];
  readonly end: ListEnd;
};

/**
 * Reads a list, up to `pagesMax` pages; a longer one ends as `endless`. Throws {@link
 * MillraceError} for a page that cannot be read, and for a row that cannot be true, unless it is of
 * an order whose client's id does not begin with `prefix`.
 */
export async function readList<Request extends PagedRequest>(
  reader: VenueReader,
  request: Request,
  { prefix, pagesMax = Infinity }: { readonly prefix: string; readonly pagesMax?: number },
): Promise<ReadList<RowOf<Request['kind']>>> {
  const rows: RowOf<Request['kind']>[] = [];
  let pages = 0;
  for await (const page of readPages(reader, request)) {
    const wrong = page.wrong.find(({ clientOrderId: id }) => id?.startsWith(prefix) ?? true);
    if (wrong !== undefined)
      throw errorOf(request.kind, { kind: 'no-answer', why: wrongText(wrong) });
    rows.push(...page.rows);
    if (page.end !== undefined) return { rows, end: page.end };
    if (++pages === pagesMax) break;
  }
  return { rows, end: 'endless' };
}
