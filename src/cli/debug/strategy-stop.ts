/**
 * Stops an attached debugger in the code of a strategy: at the first statement of its own files
 * that runs at an event. Every place where V8 can stop in these files gets a breakpoint while code
 * of the strategy runs at that event; its condition is true once.
 *
 * Invariant: without an attached debugger nothing stops.
 */
import inspector from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { EntryListener } from '../../bot/debug/event-recorder.ts';
import { ConfigError } from '../../domain/errors.ts';
import { isPluginFile } from '../../runtime/running-code.ts';

const host = '127.0.0.1';
/** A global that the breakpoints' condition calls; no module can have it by chance. */
const name = 'millrace.stops';

type Place = {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
};

type Places = { readonly locations: readonly Place[] };
type Breakpoint = { readonly breakpointId: string };

export class StrategyStop implements EntryListener {
  readonly #session = new inspector.Session();
  readonly #scripts = new Set<string>();
  #breakpoints: string[] = [];
  /** The event at which to stop; undefined if none is wanted. */
  #target: number | undefined;
  #isWaiting = false;
  #isOpened = false;

  /**
   * Opens the port for a debugger, unless this process already has one, and waits until one is
   * attached. Throws ConfigError if the port is taken.
   */
  open(port: number, onWaiting: (address: string) => void): void {
    if (inspector.url() === undefined) {
      inspector.open(port, host);
      if (inspector.url() === undefined)
        throw new ConfigError(
          `the port ${port} for the debugger is taken: choose another one, such as --inspect=${port + 1}`,
        );
      this.#isOpened = true;
      onWaiting(`${host}:${port}`);
      inspector.waitForDebugger();
    }
    this.#session.connect();
    this.#session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => {
      if (url.startsWith('file:') && isPluginFile(fileURLToPath(url))) this.#scripts.add(scriptId);
    });
    this.#session.post('Debugger.enable');
    Object.defineProperty(globalThis, Symbol.for(name), { value: () => this.#stops() });
  }

  /** Stops at event `number`, or at the next one at which code of a strategy runs. */
  stopAt(number: number): void {
    this.#target = number;
  }

  /** Whether it has not stopped yet. */
  get isPending(): boolean {
    return this.#target !== undefined;
  }

  entering(number: number): void {
    if (this.#target === undefined || number < this.#target) return;
    this.#isWaiting = true;
    for (const place of this.#places()) {
      const condition = `globalThis[Symbol.for('${name}')]()`;
      const { breakpointId } = this.#post<Breakpoint>('Debugger.setBreakpoint', {
        ...{ location: place, condition },
      });
      this.#breakpoints.push(breakpointId);
    }
  }

  left(): void {
    this.#isWaiting = false;
    for (const breakpointId of this.#breakpoints.splice(0))
      this.#session.post('Debugger.removeBreakpoint', { breakpointId });
  }

  /** Lets the debugger go, so that the process does not wait for it at its end. */
  close(): void {
    this.#session.disconnect();
    if (this.#isOpened) inspector.close();
  }

  #stops(): boolean {
    if (!this.#isWaiting) return false;
    this.#isWaiting = false;
    this.#target = undefined;
    return true;
  }

  #places(): readonly Place[] {
    return [...this.#scripts].flatMap((scriptId) => {
      const start = { scriptId, lineNumber: 0, columnNumber: 0 };
      return this.#post<Places>('Debugger.getPossibleBreakpoints', { start }).locations;
    });
  }

  /** Within one thread, the session answers before `post` returns. */
  #post<Answer>(method: string, parameters: object): Answer {
    let answer: Answer | undefined;
    this.#session.post(method, parameters, (error: Error | null, result?: object) => {
      if (error === null) answer = result as Answer;
    });
    if (answer === undefined) throw new ConfigError(`the debugger does not answer ${method}`);
    return answer;
  }
}
