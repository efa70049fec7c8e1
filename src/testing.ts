/** The entry `millrace/testing`: everything that a test of a strategy or a bot may import. */

export type { ExchangeOptions } from './testing/exchange/exchange-options.ts';
export {
  type Exchange,
  type ExchangeKey,
  type ExchangeTime,
  type ExchangeTruth,
  startExchange,
} from './testing/exchange/start-exchange.ts';
export { type FakeRun, fakeContext } from './testing/fake/fake-context.ts';
export type {
  CandleValue,
  FakeContextOptions,
  FakeMarketOptions,
  FillValue,
  Marbles,
  RefusalValue,
  TopValue,
  TradeValue,
} from './testing/fake/fake-options.ts';
export type { PlayOptions } from './testing/play/play-options.ts';
export {
  type PlayedFill,
  type PlayedOrder,
  type PlayedRun,
  playRecording,
} from './testing/play/play-recording.ts';
export type { TimedIntent } from './testing/timed-intent.ts';
export type { ControlCommand } from './venues/luno/simulator/server/control-command.ts';
