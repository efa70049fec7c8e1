/** The only requests of the page: to the server that it came from. */

export type Reply<Answer> =
  | { readonly isOk: true; readonly answer: Answer }
  | {
      readonly isOk: false;
      /** Of HTTP; 0 if there was no answer. */
      readonly status: number;
      /** In the words of the server, if it had some. */
      readonly text: string;
    };

export type RequestOptions = {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
};

export async function requestJson<Answer>(
  path: string,
  { method = 'GET', headers = {}, body, signal }: RequestOptions,
): Promise<Reply<Answer>> {
  const hasBody = body !== undefined;
  try {
    const response = await fetch(path, {
      method,
      headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      ...(hasBody ? { body: JSON.stringify(body) } : {}),
      ...(signal === undefined ? {} : { signal }),
      cache: 'no-store',
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok && answer !== undefined) return { isOk: true, answer: answer as Answer };
    const text = problemText(answer) ?? `The server answered with HTTP ${response.status}.`;
    return { isOk: false, status: response.status, text };
  } catch {
    return { isOk: false, status: 0, text: 'The server of this page does not answer.' };
  }
}

function problemText(answer: unknown): string | undefined {
  const { error } = (answer ?? {}) as { readonly error?: { readonly text?: unknown } };
  return typeof error?.text === 'string' ? error.text : undefined;
}

type StreamOptions = {
  /** By the name of the event. */
  readonly on: Readonly<Record<string, (data: unknown) => void>>;
  readonly onOpen: () => void;
  /** The stream broke. `isFinal`: the browser does not try again by itself. */
  readonly onBreak: (isFinal: boolean) => void;
};

/** Opens a stream of server-sent events with JSON; the result closes it. */
export function openStream(path: string, { on, onOpen, onBreak }: StreamOptions): () => void {
  const stream = new EventSource(path);
  stream.onopen = onOpen;
  stream.onerror = () => onBreak(stream.readyState === EventSource.CLOSED);
  for (const [name, take] of Object.entries(on))
    stream.addEventListener(name, ({ data }) => take(JSON.parse(data)));
  return () => stream.close();
}
