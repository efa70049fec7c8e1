/**
 * Captures frames into the folder given by its argument until it is killed. After each block it
 * prints the number of frames in the file.
 */
import { CaptureWriter } from '../../src/recording/capture/capture-writer.ts';

const writer = new CaptureWriter({
  folder: process.argv[2] ?? '.',
  name: 'killed',
  begin: {},
  firstEntries: () => [],
  hide: (text) => text,
  onFailure: (error) => {
    throw error;
  },
});
let frames = 0;
for (;;) {
  for (let i = 0; i < 500; i++)
    writer.append({
      atMicros: 1_795_176_000_000_000 + frames,
      pair: 'XBTZAR',
      kind: 'frame',
      text: `{"n":${frames++}}`,
    });
  await writer.flush();
  process.stdout.write(`${frames}\n`);
}
