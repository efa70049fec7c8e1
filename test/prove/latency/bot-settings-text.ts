/** The settings of the latency proof's bot: strategies of one kind, and limits that never bind. */

export type Reaction = 'place' | 'quote';
export type Reactor = Reaction | 'floor';

/** How many ticks below the best bid each order rests; no frame of it changes the best bid. */
export const ticksBelow = 10_000;

export function botSettingsText(does: Reaction, strategies: number): string {
  const each = Array.from(
    { length: strategies },
    (_, number) => `  reactor-${number}:
    plugin: reactor
    pairs: [XBTZAR]
    parameters: { does: ${does}, size: "0.001", below: ${ticksBelow} }
    budget: { ZAR: "100000", XBT: "1" }
    allow: { sides: [BID], types: [limit], timeInForce: [GTC], postOnly: allowed }
    onRestart: adopt
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }
`,
  );
  return `version: 1
bot: latency
mode: demo
venue: simulator
store: latency.sqlite
strategies:
${each.join('')}limits:
  account:
    openNotionalMax: { ZAR: "100000000" }
    turnoverDayMax: { ZAR: "100000000" }
    lossDayMax: { ZAR: "100000000" }
    onLoss: halt
    approveAbove: { ZAR: "100000000" }
    collarBudgetMax: { ZAR: "100000000" }
    ordersOpenMax: 1000
    ordersPerSecondMax: 10000
    ordersPerMinuteMax: 10000
  eachStrategy:
    ordersPerSecondMax: 10000
    ordersPerMinuteMax: 10000
    cancelShareMax: "1000%"
    ordersPerFillMax: 100000
    identical: { max: 100000, within: "1ms" }
    rejections: { max: 1000, within: "60s", action: halt }
    losingTrades: { max: 1000, coolDown: "60s" }
  pairs:
    XBTZAR:
      orderBaseMax: "0.02"
      positionBaseMax: "10"
      collar: "5%"
      bookAgeMax: "60s"
`;
}
