/** The settings of a strategy in a test: everything is allowed that a strategy can ask for. */
import { orderTypes, type StrategySettings } from '../domain/bot-settings.ts';

export const testedStrategy: Omit<StrategySettings, 'plugin' | 'pairs' | 'parameters' | 'budget'> =
  {
    id: 'tested',
    allow: {
      sides: ['BID', 'ASK'],
      types: orderTypes,
      timeInForce: ['GTC', 'IOC', 'FOK'],
      postOnly: 'allowed',
    },
    onRestart: 'cancel',
    onStop: 'cancel',
    onMove: 'overlap',
    onUnusableBook: { withdrawAfterMs: 10_000 },
  };
