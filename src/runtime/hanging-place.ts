/**
 * Finds the code in which the main thread hangs: the watching thread stops it there, as a debugger
 * does, and reads its stack. Only for a process that is about to be killed.
 */
import { Session } from 'node:inspector';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A thread that waits for the system, as for a disk, does not stop. */
const waitMs = 2_000;
const ownCode = dirname(import.meta.dirname) + sep;

type Frame = {
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
};

/**
 * Calls `tell` once, with file and line of the innermost frame that is not Millrace's, a package's
 * or Node's, such as `my-bot/strategy.ts:12`; otherwise of the innermost in a package, which a
 * plugin may be; with undefined if neither can be had.
 */
export function placeOfMainThread(tell: (place: string | undefined) => void): void {
  let isTold = false;
  const once = (place: string | undefined): void => {
    if (!isTold) tell(place);
    isTold = true;
  };
  setTimeout(() => once(undefined), waitMs);
  try {
    const session = new Session();
    session.connectToMainThread();
    // Told for each script before the answer to `enable`; a frame has no usable URL.
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
    session.on('Debugger.paused', ({ params }) => once(placeIn(params.callFrames, urls)));
    session.post('Debugger.enable', () => session.post('Debugger.pause'));
  } catch {
    once(undefined);
  }
}

function placeIn(frames: readonly Frame[], urls: ReadonlyMap<string, string>): string | undefined {
  let inPackage: string | undefined;
  for (const { location } of frames) {
    const url = urls.get(location.scriptId) ?? '';
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (!file.startsWith(sep) || file.startsWith(ownCode)) continue;
    const place = `${file.split(sep).slice(-2).join('/')}:${location.lineNumber + 1}`;
    if (!file.includes('/node_modules/')) return place;
    inPackage ??= place;
  }
  return inPackage;
}
