/** The scenario of `backtests/first` with another market of the simulator. */

/**
 * Has the bot of the first scenario's text trade a second market of the same account, at other
 * fees; the recordings are those of the pairs' names.
 */
export function withSecondMarket(text: string): string {
  const markets = `markets:
  XBTZAR: { recording: XBTZAR.mrec }
  ETHXBT: { recording: ETHXBT.mrec, fees: { maker: "0bps", taker: "20bps" } }
`;
  return text
    .replace(/^data:.*?^(?=fees:)/msu, markets)
    .replace('ZAR: "1000000" }', 'ZAR: "1000000", ETH: "20" }')
    .replace(
      'limits:\n',
      `  mm-eth:
    plugin: simple-mm
    pairs: [ETHXBT]
    parameters: { halfSpread: "8bps", size: "0.2", refresh: "5s", tolerance: "2bps" }
    budget: { XBT: "0.5", ETH: "10" }
    allow: { sides: [BID, ASK], types: [limit], timeInForce: [GTC], postOnly: required }
    onRestart: cancel
    onStop: cancel
    onUnusableBook: { withdrawAfter: "10s" }
limits:
`,
    )
    .replace('{ ZAR: "100000" }', '{ ZAR: "100000", XBT: "1" }')
    .replace('{ ZAR: "50000000" }', '{ ZAR: "50000000", XBT: "500" }')
    .replace('{ ZAR: "25000" }', '{ ZAR: "25000", XBT: "1" }')
    .concat(
      '    ETHXBT: { orderBaseMax: "1", positionBaseMax: "10", collar: "2%", bookAgeMax: "5s" }\n',
    );
}
