/** The operations of the bots' API that the page uses. Types only come from the server's code. */
import type {
  BotsAnswer,
  CommandAnswer,
  CommandRequest,
  StatusAnswer,
} from '../../dashboard/api/bot-answers.ts';
import type {
  CommandsAnswer,
  DaysAnswer,
  FillsAnswer,
  HistoryAnswer,
  IncidentsAnswer,
  LogAnswer,
  OrdersAnswer,
  RefusalsAnswer,
  StoryAnswer,
} from '../../dashboard/api/history-answers.ts';
import { type Reply, requestJson } from '../browser/request.ts';

type Query = Readonly<Record<string, string | number | undefined>>;
type Answers = {
  readonly status: StatusAnswer;
  readonly history: HistoryAnswer;
  readonly fills: FillsAnswer;
  readonly orders: OrdersAnswer;
  readonly incidents: IncidentsAnswer;
  readonly refusals: RefusalsAnswer;
  readonly commands: CommandsAnswer;
  readonly days: DaysAnswer;
  readonly log: LogAnswer;
};

// Relative to the page: also below a path of a proxy.
const root = 'api/v1';
/** A form of another page cannot send it. */
const ownHeaders = { 'x-millrace-request': '1' };

export function readBots(): Promise<Reply<BotsAnswer>> {
  return requestJson(`${root}/bots`, {});
}

export function read<Name extends keyof Answers>(
  name: Name,
  bot: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Reply<Answers[Name]>> {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  const search = new URLSearchParams(given).toString();
  const path = `${pathOf(bot)}/${name}${search === '' ? '' : `?${search}`}`;
  return requestJson(path, signal === undefined ? {} : { signal });
}

export function readStory(bot: string, intentId: number): Promise<Reply<StoryAnswer>> {
  return requestJson(`${pathOf(bot)}/orders/${intentId}`, {});
}

export function eventsPath(bot: string): string {
  return `${pathOf(bot)}/events`;
}

/** Exchanges the view token for a cookie. */
export function openSession(token: string): Promise<Reply<unknown>> {
  return requestJson(`${root}/session`, { method: 'POST', headers: ownHeaders, body: { token } });
}

export function sendCommand(
  bot: string,
  body: CommandRequest,
  commandToken: string,
): Promise<Reply<CommandAnswer>> {
  return requestJson(`${pathOf(bot)}/commands`, {
    method: 'POST',
    headers: { ...ownHeaders, 'x-millrace-command-token': commandToken },
    body,
  });
}

function pathOf(bot: string): string {
  return `${root}/bots/${encodeURIComponent(bot)}`;
}
