/** Files of outside data in a folder of their own, and what their import makes of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRecording } from '../../src/recording/file/flow-source.ts';
import { Recording } from '../../src/recording/file/recording.ts';
import { openImport } from '../../src/recording/import/import-format.ts';

/** What was traded; scales are those that the data needs. */
export const importOptions = {
  base: 'ES',
  counter: 'USD',
  priceScale: undefined,
  volumeScale: undefined,
};

/** `usualEnding`: of the files' names, unless another is given. */
export function importedFiles(usualEnding: string) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-import-'));
  let number = 0;
  const fileOf = (content: string | Buffer, ending = usualEnding): string => {
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
    /** Returns why a file of such content is refused, which is called FILE in it. */
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
