/** Removes the types from TypeScript source with Node's own function, and finds syntax errors. */
import { stripTypeScriptTypes } from 'node:module';

export type SyntaxFault = { readonly line: number; readonly text: string };

/**
 * Returns `source` as JavaScript, with every character at its place, or where its syntax is wrong.
 * Syntax that has to be compiled, such as an enum, is a fault, as when Node runs the file.
 */
export function withoutTypes(source: string): string | SyntaxFault {
  const { emitWarning } = process;
  // Node warns that the function is experimental; it runs the file by the same code without that.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const line = /(?::|\[)(\d+)(?::\d+\])?\n/u.exec(error.stack ?? '')?.[1] ?? '1';
    return { line: Number.parseInt(line, 10), text: error.message };
  } finally {
    process.emitWarning = emitWarning;
  }
}
