/**
 * The names of the formats that can be imported. They are in a file of their own because the
 * command line shows them at each start, and need not load the readers for that.
 */

export const importFormats = ['dbn', 'ndjson', 'csv', 'csv-trades', 'csv-candles'] as const;
