/**
 * Measures the parts of a bot's work without a line of it in `src`: functions are wrapped when
 * their modules are loaded, methods afterwards. Must be imported before anything of `src`.
 */
import { registerHooks } from 'node:module';
import { replaceMethod } from '../../support/replace-method.ts';
import { SpanLog, type SpanPart } from './span-log.ts';

/** What a function is a part of: its own time, or that of a function which it returns. */
type Hook = {
  readonly part: SpanPart;
  readonly module: string;
  readonly name: string;
  /** `itself` if what it returns is a function, else the name of the returned object's method. */
  readonly returned?: string;
};

const hooks: readonly Hook[] = [
  { part: 'decode', module: 'venues/luno/api/market-messages.ts', name: 'decodeMarketFrame' },
  { part: 'decode', module: 'venues/luno/api/user-messages.ts', name: 'decodeUserFrame' },
  { part: 'journal', module: 'engine/journal.ts', name: 'encodeBatch' },
  {
    ...{ part: 'journal', module: 'bot/journal/run-journal.ts', name: 'openRunJournal' },
    returned: 'append',
  },
  {
    ...{ part: 'rows', module: 'store/record-writer.ts', name: 'createRecordWriter' },
    returned: 'itself',
  },
  {
    ...{ part: 'client', module: 'bot/network-exchange.ts', name: 'createNetworkExchange' },
    returned: 'request',
  },
  { part: 'client', module: 'venues/luno/client/read-reply.ts', name: 'readReply' },
];

export const spanLog = new SpanLog();

type AnyFunction = (...given: never[]) => unknown;
const wrappers: Record<string, (real: AnyFunction) => AnyFunction> = {};
Object.assign(globalThis, { latencyWrappers: wrappers });

for (const { part, name, returned } of hooks)
  wrappers[name] = (real) => {
    if (returned === undefined) return spanLog.wrap(part, real);
    return (...given) => {
      const made = real(...given);
      if (returned === 'itself') return spanLog.wrap(part, made as AnyFunction);
      const object = made as Record<string, AnyFunction>;
      const method = object[returned];
      if (method === undefined) throw new Error(`${name} returns no ${returned}`);
      object[returned] = spanLog.wrap(part, method);
      return object;
    };
  };

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const own = hooks.filter(({ module }) => url.endsWith(`/src/${module}`));
    if (own.length === 0) return loaded;
    const source = own.reduce((text, hook) => exportWrapped(text, hook), String(loaded.source));
    return { ...loaded, source };
  },
});

/** Returns the module's text with the function wrapped for all who import it. */
function exportWrapped(source: string, { module, name }: Hook): string {
  const declared = `export function ${name}(`;
  if (source.split(declared).length !== 2) throw new Error(`${module} does not export ${name}`);
  return [
    source.replace(declared, `function ${name}(`),
    `const wrapped_${name} = globalThis.latencyWrappers.${name}(${name});`,
    `export { wrapped_${name} as ${name} };`,
  ].join('\n');
}

/** Wraps the methods of classes. */
export async function wrapMethods(): Promise<void> {
  const { WebSocket } = await import('ws');
  const { CaptureRecorder } = await import('../../../src/recording/capture/capture-recorder.ts');
  const { Engine } = await import('../../../src/engine/engine.ts');
  const { SqliteStore } = await import('../../../src/store/sqlite-store.ts');
  const { EgressGuard } = await import('../../../src/venues/luno/client/egress-guard.ts');
  replaceMethod(CaptureRecorder.prototype, 'frame', (real) => spanLog.wrap('capture', real));
  replaceMethod(Engine.prototype, 'step', (real) => spanLog.wrap('step', real));
  replaceMethod(SqliteStore.prototype, 'commit', (real) => spanLog.wrap('commit', real));
  replaceMethod(EgressGuard.prototype, 'inspect', (real) => spanLog.wrap('guard', real));
  replaceMethod(EgressGuard.prototype, 'noteCommitted', (real) => spanLog.wrap('guard', real));
  replaceMethod(WebSocket.prototype, 'emit', (real) => {
    const measured = spanLog.wrap('socket', real as AnyFunction);
    return function (this: WebSocket, event: string | symbol, ...given: unknown[]) {
      const call = event === 'message' ? measured : (real as AnyFunction);
      return call.apply(this, [event, ...given] as never[]) as boolean;
    };
  });
}
