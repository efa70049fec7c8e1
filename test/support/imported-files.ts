/** Writes foreign data to files in a temporary folder, and imports them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRecording } from '../../src/recording/file/flow-source.ts';
import { Recording } from '../../src/recording/file/recording.ts';
import { openImport } from '../../src/recording/import/import-format.ts';

/** Options of an import that takes the scales from the data. */
export const importOptions = {
  base: 'ES',
  counter: 'USD',
  priceScale: undefined,
  volumeScale: undefined,
};

/** `defaultEnding`: ending of the file names unless another is given. */
export function importedFiles(defaultEnding: string) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-import-'));
  let number = 0;
  const fileOf = (content: string | Buffer, ending = defaultEnding): string => {
    const path = join(folder, `${++number}.${ending}`);
    writeFileSync(path, content);
    return path;
  };
  const imported = async (format: string, path: string): Promise<Recording> => {
    const out = join(folder, `${++number}.mrec`);
    await writeRecording(await openImport({ ...importOptions, format, path }), out);
    return new Recording(out);
  };
  return {
    folder,
    fileOf,
    imported,
    /** Returns the error for a file with this content; its path is replaced by FILE. */
    failure: (format: string, content: string | Buffer): Promise<string> => {
      const path = fileOf(content);
      return imported(format, path).then(
        () => 'imported',
        (error: Error) => error.message.replace(path, 'FILE'),
      );
    },
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}
