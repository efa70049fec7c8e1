/** The lines of `status` about what only a running bot knows. */
import { expect, test } from 'vitest';
import { runningLines } from '../../../src/cli/running-lines.ts';
import { sampleMarket, sampleMs, sampleOrder, sampleStatus } from '../../support/view-status.ts';

test('an own order has the name that its strategy gave it, its stop and its expiry', () => {
  const stop = { direction: 'BELOW', price: '990000', isAwaiting: true } as const;
  const markets = [
    sampleMarket({
      ownOrders: [
        sampleOrder({ level: 'maker/bid' }),
        sampleOrder({ level: null, key: 'exit', aheadVolume: null, stop, expiresMs: sampleMs }),
        sampleOrder({ aheadVolume: '0', aheadOrders: 0 }),
        sampleOrder({ key: 'late', level: null, stop: { ...stop, isAwaiting: false } }),
      ],
    }),
  ];
  const lines = runningLines(sampleStatus({ markets }));
  expect(lines.slice(0, 4)).toEqual([
    'order      open mm-xbt maker/bid XBTZAR BID 0.010000 at 998204, behind 0.052300 in 3 orders at its price',
    'order      open mm-xbt exit XBTZAR BID 0.010000 at 998204, waits for the last trade at or below 990000, expires at 2026-11-20T14:20:33.000Z',
    'order      open mm-xbt bid XBTZAR BID 0.010000 at 998204, first at its price',
    'order      open mm-xbt late XBTZAR BID 0.010000 at 998204, behind 0.052300 in 3 orders at its price',
  ]);
});
