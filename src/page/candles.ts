/** The entry of `candles.js`: what the page uses of lightweight-charts. */
export { CandlestickSeries, createChart } from 'lightweight-charts';
