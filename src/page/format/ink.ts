/** A colour of `styles/theme.css` by its name there, without the dashes. */
export type Ink =
  | 'ink'
  | 'soft'
  | 'line'
  | 'panel'
  | 'accent'
  | 'buy'
  | 'sell'
  | 'good'
  | 'bad'
  | 'warn'
  | 'alarm'
  | 'series-1'
  | 'series-2'
  | 'series-3'
  | 'series-4';
