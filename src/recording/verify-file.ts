/** Checks captures and recordings from the first byte to the last; reports faults by offset. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { DecodeError, NotFoundError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import { Book } from '../market/book/book.ts';
import { BookError } from '../market/book/book-error.ts';
import { applyFlow, loadResting, restingOf } from '../market/book/flow-columns-book.ts';
import { rowKind } from '../market/flow/flow-block.ts';
import { FlowCursor } from '../market/flow/flow-cursor.ts';
import { checkInputFile } from '../runtime/input-file.ts';
import type { FramesOf, MarketFrames } from '../venue/market-frames.ts';
import type { CaptureEntry } from './capture/capture-entry.ts';
import {
  marketWithFinestScales,
  protocolIn,
  type Rules,
  rulesIn,
} from './capture/capture-market.ts';
import { captureEntries, captureLines } from './capture/capture-reader.ts';
import { StreamFlow } from './capture/stream-flow.ts';
import { BlockFile, fileMark, fileMarkBytes } from './file/block-file.ts';
import { coverageOf, timeWarningOf } from './file/coverage.ts';
import { encodeResting } from './file/flow-block-codec.ts';
import { misfitTexts } from './file/misfits.ts';
import { Recording } from './file/recording.ts';
import { recordingBlock } from './file/recording-header.ts';
import { timeText } from './file/time-text.ts';

export type Verified = {
  readonly path: string;
  readonly kind: 'capture' | 'recording' | 'unknown';
  readonly isGood: boolean;
  /** Faults of the file, with file and offset. */
  readonly problems: readonly string[];
  /** Gaps, which are not faults of the file: streams that ended, lines that were dropped. */
  readonly gaps: readonly string[];
  /** Unusual values that may be intended. */
  readonly warnings: readonly string[];
  readonly figures: Figures;
};

type Figures = Readonly<Record<string, number | string | null>>;

const problemsMax = 20;

/** Checks one file; throws NotFoundError if it does not exist. */
export function verifyFile(path: string, framesOf: FramesOf): Verified {
  const mark = markOf(path);
  if (mark === fileMark.recording) return verifyRecording(path);
  return verifyCapture(path, mark === fileMark.capture ? 'capture' : 'unknown', framesOf);
}

function markOf(path: string): string {
  let handle: number | undefined;
  try {
    checkInputFile(path);
    handle = openSync(path, 'r');
    const bytes = Buffer.alloc(fileMarkBytes);
    return bytes.toString('latin1', 0, readSync(handle, bytes, 0, fileMarkBytes, 0));
  } catch (cause) {
    if (cause instanceof NotFoundError) throw cause;
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

class Findings {
  readonly problems: string[] = [];
  readonly gaps: string[] = [];
  readonly warnings: string[] = [];

  problem(text: string): void {
    if (this.problems.length < problemsMax) this.problems.push(text);
  }

  /** Runs `work`; an error about the data becomes a problem. */
  guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof BookError)) throw error;
      this.problem(error.message);
    }
  }

  of(path: string, kind: Verified['kind'], figures: Figures): Verified {
    const { problems, gaps, warnings } = this;
    return { path, kind, isGood: problems.length === 0, problems, gaps, warnings, figures };
  }
}

function verifyCapture(path: string, kind: 'capture' | 'unknown', framesOf: FramesOf): Verified {
  const findings = new Findings();
  const figures = { blocks: 0, entries: 0, frames: 0, firstMicros: 0, lastMicros: 0, ended: 'no' };
  const state = { findings, sequences: new Map(), markets: new Map() };
  let frames = framesOf();
  findings.guard(() => {
    for (const block of captureLines(path, (message) => findings.problem(message))) {
      figures.blocks++;
      for (const entry of captureEntries(block, figures.lastMicros)) {
        figures.entries++;
        figures.firstMicros ||= entry.atMicros;
        figures.lastMicros = entry.atMicros;
        figures.ended = entry.kind === 'end' ? 'yes' : 'no';
        if (entry.kind === 'frame') figures.frames++;
        if (entry.kind === 'begin') frames = framesOf(protocolIn(entry, block.where));
        noteEntry(entry, { ...state, frames, where: block.where });
      }
    }
  });
  const timeOf = (micros: number): string | null => (micros === 0 ? null : timeText(micros));
  const times = { first: timeOf(figures.firstMicros), last: timeOf(figures.lastMicros) };
  return findings.of(path, kind, { ...times, ...figures });
}

/** The state of one market: its rules so far, and the stream decoded with them. */
type MarketState = {
  readonly rules: readonly Rules[];
  readonly market: Market;
  readonly flow: StreamFlow;
};

type CaptureState = {
  readonly findings: Findings;
  readonly sequences: Map<string, bigint>;
  readonly markets: Map<string, MarketState>;
  readonly frames: MarketFrames;
  readonly where: string;
};

/** Checks each market's sequence, and whether its frames can be compiled. */
function noteEntry(entry: CaptureEntry, state: CaptureState): void {
  const { findings, sequences, markets, frames, where } = state;
  const { pair, kind, text, atMicros } = entry;
  if (kind === 'closed' || kind === 'dropped') {
    findings.gaps.push(`${where}: ${pair} at ${atMicros}, ${timeText(atMicros)}: ${kind} ${text}`);
    sequences.delete(pair);
  }
  if (kind === 'market') findings.guard(() => noteMarket(entry, state));
  if (kind !== 'frame' && kind !== 'book') return;
  try {
    const message = frames.decode(text);
    if (message.kind === 'snapshot') sequences.set(pair, BigInt(message.snapshot.sequence));
    else noteSequence(entry, BigInt(message.update.sequence), state);
    const flow = markets.get(pair)?.flow;
    flow?.take(message, atMicros);
    flow?.taken();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    findings.problem(`${where}: frame of ${pair} at ${atMicros}: ${error.message}`);
  }
}

function noteSequence({ pair, atMicros }: CaptureEntry, next: bigint, state: CaptureState): void {
  const { findings, sequences, where } = state;
  const last = sequences.get(pair);
  if (last !== undefined && next !== last + 1n)
    findings.problem(`${where}: ${pair} at ${atMicros}: sequence ${next} after ${last}`);
  sequences.set(pair, next);
}

function noteMarket(entry: CaptureEntry, { markets, where }: CaptureState): void {
  const known = markets.get(entry.pair);
  const rules = [...(known?.rules ?? []), rulesIn(entry, where)];
  const market = marketWithFinestScales(rules);
  // The rules are repeated daily; only new scales need a new decoder.
  const isSame =
    known?.market.priceScale === market.priceScale &&
    known.market.volumeScale === market.volumeScale;
  const flow = isSame ? known.flow : new StreamFlow(market, () => {});
  markets.set(entry.pair, { rules, market, flow });
}

function verifyRecording(path: string): Verified {
  const findings = new Findings();
  findings.guard(() => checkBlocks(path));
  let figures: Figures = {};
  findings.guard(() => {
    const recording = new Recording(path);
    try {
      const { counts, hash, bytes, sideBytes, blocks } = recording.index;
      figures = { ...counts, blocks: blocks.length, bytes, sideBytes, hash };
      const coverage = coverageOf(recording);
      figures = { ...coverage, ...figures };
      const warning = timeWarningOf(coverage);
      if (warning !== undefined) findings.warnings.push(`${path}: ${warning}`);
      for (const text of misfitTexts(recording.index)) findings.warnings.push(`${path}: ${text}`);
      if (counts.gaps > 0) findings.gaps.push(`${path}: ${counts.gaps} gaps`);
      replay(recording, findings);
    } finally {
      recording.close();
    }
  });
  return findings.of(path, 'recording', figures);
}

/** Reads every block in the order of the file, and checks the hash. */
function checkBlocks(path: string): void {
  const file = BlockFile.open(path, fileMark.recording);
  const hash = createHash('sha256');
  let hashInIndex: unknown;
  try {
    for (let offset = fileMarkBytes; ; ) {
      const block = file.blockAt(offset);
      if (block === undefined) break;
      const bytes = file.inflate(block);
      if (
        block.kind === recordingBlock.header ||
        block.kind === recordingBlock.rows ||
        block.kind === recordingBlock.feeds ||
        block.kind === recordingBlock.checkpoint
      )
        hash.update(bytes);
      if (block.kind === recordingBlock.index)
        hashInIndex = JSON.parse(bytes.toString('utf8')).hash;
      offset = block.nextOffset;
    }
    if (hashInIndex !== hash.digest('hex'))
      throw new DecodeError(`${path}: the hash of the content differs from the hash in the index`);
  } finally {
    file.close();
  }
}

/** Replays the whole recording: rows must fit the book, times ascend, checkpoints agree. */
function replay(recording: Recording, findings: Findings): void {
  const book = new Book();
  const cursor = new FlowCursor();
  let status = 0;
  let lastMicros = 0;
  for (const [number, entry] of recording.index.blocks.entries()) {
    const where = `${recording.path}: offset ${entry.offset}`;
    if (entry.checkpoint !== 0) {
      const { resting } = recording.checkpoint(entry.checkpoint);
      if (number === 0) {
        loadResting(book, resting);
        ({ status } = resting);
      } else if (!encodeResting(resting).equals(encodeResting(restingOf(book, status))))
        findings.problem(`${where}: the checkpoint before it differs from the replayed book`);
    }
    cursor.load(recording.block(entry));
    while (cursor.next()) {
      if (cursor.atMicros < lastMicros)
        findings.problem(`${where}: row ${cursor.sequence}: time goes back`);
      lastMicros = cursor.atMicros;
      if (cursor.kind === rowKind.status) status = cursor.slot;
      applyFlow(book, cursor);
    }
  }
}
