/**
 * The formats that can be imported: names and columns. They are in a file of their own because
 * the command line shows them at each start, and need not load the readers for that.
 */

export const importFormats = ['dbn', 'ndjson', 'csv', 'csv-trades', 'csv-candles'] as const;

/** The columns of each kind of table, for `import --help`. */
export const importColumnsText = `
Columns of tables, which the first line names (time_ms or time_ns may replace time_us):
  csv          time_us,action,order_id,side,price,volume,taker_id,end
               action: resting (before all others), create, delete, trade, resize, status, gap
               side: bid or ask, of a trade the maker's; of a status its name
               end: 0 if the next line belongs to the same message, else 1
  csv-trades   time_us,price,volume,side
               side: buy or sell, the taker's
  csv-candles  time_us,open,high,low,close,volume
               the time is the beginning of the candle
`;
