/** A test's exchange in the process that calls it. */
import { createClock } from '../../runtime/clock.ts';
import { createTimers } from '../../runtime/timers.ts';
import { startSimulatorServer } from '../../venues/luno/simulator/server/simulator-server.ts';
import { type ExchangeOptions, settingsOf } from './exchange-options.ts';

export type ExchangeServer = {
  readonly baseUrl: string;
  readonly streamUrl: string;
  /** The id of its process, if that is a child. */
  readonly pid?: number | undefined;
  /** Stores the state and frees the port. Rejects if the exchange has failed before. */
  close(): Promise<void>;
};

/** Starts the exchange on the state in `folder`. Rejects like {@link startSimulatorServer}. */
export async function openExchange(
  folder: string,
  options: ExchangeOptions,
): Promise<ExchangeServer> {
  let failure: { readonly error: unknown } | undefined;
  const server = await startSimulatorServer({
    folder,
    port: options.port ?? 0,
    seed: options.seed ?? 1,
    clock: createClock(),
    timers: createTimers(),
    settings: settingsOf(options),
    isControlled: true,
    isStrict: options.strict ?? false,
    fail: (error) => {
      failure ??= { error };
    },
  });
  return {
    baseUrl: server.baseUrl,
    streamUrl: server.streamUrl,
    close: async () => {
      await server.close();
      if (failure !== undefined)
        throw new Error('the exchange has failed', { cause: failure.error });
    },
  };
}
