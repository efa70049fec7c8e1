/**
 * Splits TypeScript text into what is code, what is comment and what is quoted, for the style test.
 *
 * Replaced signs become spaces and line feeds stay, so that line numbers hold. It is no parser: it
 * knows comments, quotes, templates and regular expressions, which is enough for our own code.
 */

export type CodeText = {
  /** Code with comments blanked; quoted text stays. For imports. */
  readonly withStrings: string;
  /** Code with comments, quoted text and regular expressions blanked. For bans. */
  readonly bare: string;
};

const classPart = String.raw`\[(?:\\.|[^\]\\\n])*\]`;
// In order: comments, quotes, a regular expression where an operand may stand, template parts.
const token = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)`,
    String.raw`(?<quoted>'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*")`,
    String.raw`(?<=(?:^|[=(,:;[!&|?{}>+\n]|\breturn|\bcase)\s*)`,
    String.raw`(?<regex>\/(?:\\.|${classPart}|[^/\\\n*[])(?:\\.|${classPart}|[^/\\\n[])*\/[a-z]*)`,
    '(?<tick>`)',
    String.raw`(?<open>\{)`,
    String.raw`(?<close>\})`,
  ]
    .join('|')
    // The look-behind belongs to the expression that follows it.
    .replace(')|(?<regex>', ')(?<regex>'),
  'gu',
);
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?<end>`|\$\{|$)/uy;

/** Returns `text` of the same length and lines, twice: without comments, and without quotes too. */
export function codeTextOf(text: string): CodeText {
  const withStrings = [...text];
  const bare = [...text];
  const units = text.length === withStrings.length ? undefined : indexMapOf(text);
  const blank = (target: string[], from: number, to: number): void => {
    const first = units?.[from] ?? from;
    const last = units?.[to] ?? to;
    for (let i = first; i < last; i++) if (target[i] !== '\n') target[i] = ' ';
  };
  // One entry for each template we are in: how many braces are open inside its `${ }`.
  const templates: number[] = [];
  let at = 0;
  const skipTemplate = (): void => {
    templatePart.lastIndex = at;
    const part = templatePart.exec(text);
    const end = at + (part?.[0].length ?? 0);
    blank(bare, at, end);
    if (part?.groups?.['end'] === '${') templates.push(0);
    at = end;
  };
  for (;;) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) break;
    const { comment, quoted, regex, tick, open } = found.groups ?? {};
    const end = found.index + found[0].length;
    at = end;
    if (comment !== undefined) {
      blank(withStrings, found.index, end);
      blank(bare, found.index, end);
    } else if (quoted !== undefined || regex !== undefined) {
      blank(bare, found.index, end);
    } else if (tick !== undefined) skipTemplate();
    else if (templates.length > 0) {
      const depth = (templates.pop() ?? 0) + (open !== undefined ? 1 : -1);
      if (depth < 0) skipTemplate();
      else templates.push(depth);
    }
  }
  return { withStrings: withStrings.join(''), bare: bare.join('') };
}

/** From a UTF-16 position to a position among whole signs, for text with signs outside the BMP. */
function indexMapOf(text: string): number[] {
  const map: number[] = [];
  let sign = 0;
  for (const whole of text) {
    for (let unit = 0; unit < whole.length; unit++) map.push(sign);
    sign++;
  }
  map.push(sign);
  return map;
}
