/** Requests to a page's server as browsers never send them: any header, any bytes, any pace. */
import { request } from 'node:http';
import { createConnection, type Socket } from 'node:net';

/** A page that is served, and what its owner knows. */
export type PageTarget = {
  readonly host: string;
  readonly port: number;
  readonly viewToken: string;
  readonly commandToken: string;
  /** The id of a bot in paths. */
  readonly bot: string;
};

export type SecurityCheck = {
  /** A sentence that is true of a safe page. */
  readonly name: string;
  /** Throws if it is not. */
  readonly run: (target: PageTarget) => Promise<void>;
};

export type PageAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

export type Ask = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Sends one request on a connection of its own. */
export function askPage(
  { host, port }: Pick<PageTarget, 'host' | 'port'>,
  path: string,
  { method = 'GET', headers = {}, body }: Ask = {},
): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, path, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
      );
    });
    asked.on('error', reject).end(body);
  });
}

/** The headers of the owner's script. */
export function bearer({ viewToken }: Pick<PageTarget, 'viewToken'>) {
  return { authorization: `Bearer ${viewToken}` };
}

/** Sends JSON as the page does; `headers` may replace or add some. */
export function postPage(
  target: Pick<PageTarget, 'host' | 'port'>,
  path: string,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> {
  const own = { 'content-type': 'application/json', 'x-millrace-request': '1' };
  return askPage(target, path, {
    method: 'POST',
    headers: { ...own, ...headers },
    body: JSON.stringify(value),
  });
}

/** Sends bytes as they are, and returns what came until the connection closed. */
export function rawPage(
  { host, port }: Pick<PageTarget, 'host' | 'port'>,
  bytes: string,
  waitMs = 3_000,
): Promise<{ readonly text: string; readonly isClosed: boolean }> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    let text = '';
    const done = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, isClosed });
    };
    const timer = setTimeout(() => done(false), waitMs);
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', () => done(true));
    socket.on('close', () => done(true));
    socket.write(bytes);
  });
}

/** Opens connections that send nothing; those that the server refuses are closed at once. */
export async function idleConnections(
  { host, port }: Pick<PageTarget, 'host' | 'port'>,
  count: number,
): Promise<readonly Socket[]> {
  const opened = Array.from({ length: count }, () => {
    const socket = createConnection({ host, port });
    socket.on('error', () => {});
    const settled = new Promise<void>((resolve) => {
      socket.once('connect', () => resolve()).once('close', () => resolve());
    });
    return { socket, settled };
  });
  await Promise.all(opened.map(({ settled }) => settled));
  return opened.map(({ socket }) => socket);
}

export type SeenEvent = { readonly event: string; readonly data: unknown };

/** Reads the events of a bot until the returned function is called. */
export function readEvents(
  { host, port, viewToken }: Pick<PageTarget, 'host' | 'port' | 'viewToken'>,
  path: string,
): { readonly seen: SeenEvent[]; readonly end: () => void } {
  const seen: SeenEvent[] = [];
  const headers = bearer({ viewToken });
  const asked = request({ host, port, path, headers, agent: false }, (answer) => {
    let text = '';
    answer.on('error', () => {});
    answer.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/mu.exec(event) ?? [];
        if (name !== undefined) seen.push({ event: name, data: JSON.parse(data ?? '') });
      }
    });
  });
  asked.on('error', () => {}).end();
  return { seen, end: () => asked.destroy() };
}

/** Asks for the events of a bot and never reads them. */
export function stalledReader(
  { host, port, viewToken }: Pick<PageTarget, 'host' | 'port' | 'viewToken'>,
  path: string,
): Socket {
  const socket = createConnection({ host, port });
  socket.on('error', () => {});
  const { authorization } = bearer({ viewToken });
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  socket.pause();
  return socket;
}
