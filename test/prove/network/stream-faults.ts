/** Faults that either stream can have: of its line, of its handshake, of its frames as texts. */
import type { Fault, FaultHooks } from './fault.ts';
import type { HostileProxy } from './hostile-proxy.ts';
import type { StreamLine, StreamName } from './stream-line.ts';

/** What a server may close a websocket with. */
const closeCodes = [1000, 1001, 1003, 1007, 1008, 1009, 1011, 1012, 1013, 3000, 4000];

/** Does something to each frame of the stream. */
export function toFrames(
  name: StreamName,
  deed: (line: StreamLine, text: string, proxy: HostileProxy) => boolean,
): FaultHooks {
  return {
    frame: (line, text, proxy) => line.name === name && deed(line, text, proxy),
  };
}

/** Does something to one frame after each connection, not to the first of it. */
function toOneFrame(name: StreamName, deed: (line: StreamLine, text: string) => void): FaultHooks {
  const done = new WeakSet<StreamLine>();
  return toFrames(name, (line, text) => {
    if (line.frames < 2 || text.length < 8 || done.has(line)) return false;
    done.add(line);
    deed(line, text);
    return true;
  });
}

function cutLines(name: StreamName): (proxy: HostileProxy) => void {
  return (proxy) => {
    for (const line of proxy.linesOf(name)) line.reset();
  };
}

/** Refuses every handshake of the stream, and cuts the lines that are open. */
function refusing(name: StreamName, head: string): FaultHooks {
  return {
    begin: cutLines(name),
    upgrade: (asked, { socket }) => {
      if (asked !== name) return false;
      socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return true;
    },
  };
}

export function streamFaults(name: StreamName): readonly Fault[] {
  const fault = (what: string, hooks: () => FaultHooks, more: Partial<Fault> = {}): Fault => ({
    name: `${name} stream ${what}`,
    hooks,
    ...more,
  });
  return [
    fault('frame lost', () => toOneFrame(name, () => {})),
    fault('frame twice', () =>
      toOneFrame(name, (line, text) => {
        line.deliver(text);
        line.deliver(text);
      }),
    ),
    fault('frames in another order', () => swapping(name)),
    fault('frame cut off', () =>
      toOneFrame(name, (line, text) => line.deliver(text.slice(0, text.length / 2))),
    ),
    fault('frame that is no JSON', () =>
      toOneFrame(name, (line) => line.deliver('<html>bad gateway</html>')),
    ),
    fault('frame in bytes', () =>
      toOneFrame(name, (line, text) => line.deliverBinary(Buffer.from(text))),
    ),
    fault('frame that is no websocket frame', () =>
      toOneFrame(name, (line) => line.raw(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    ),
    fault('reset in the middle of a frame', () =>
      toOneFrame(name, (line) => {
        // A text frame of 100 bytes, of which three come.
        line.raw(Buffer.from([0x81, 100, 0x7b, 0x22, 0x73]));
        line.reset();
      }),
    ),
    fault('late', () =>
      toFrames(name, (line, text) => {
        setTimeout(() => line.deliver(text), 3_000);
        return true;
      }),
    ),
    fault('silent but open', () => mute(name), { lastsMs: 9_000 }),
    fault('silent, and catches up', () => holding(name), { lastsMs: 7_000 }),
    fault('closed with each code', () => closing(name)),
    fault('cut again and again', () => ({
      begin: cutLines(name),
      ...toFrames(name, (line) => {
        line.reset();
        return true;
      }),
    })),
    fault('handshake refused with 503', () => refusing(name, '503 Service Unavailable')),
    fault('handshake refused with 404', () => refusing(name, '404 Not Found')),
    fault('handshake answered 200', () => refusing(name, '200 OK')),
    fault('handshake unanswered', () => ({
      begin: cutLines(name),
      upgrade: (asked) => asked === name,
    })),
    fault('handshake slow', () => ({
      begin: cutLines(name),
      upgrade: (asked, { proceed }) => {
        if (asked !== name) return false;
        setTimeout(proceed, 3_000);
        return true;
      },
    })),
    fault('answered with an error', () =>
      toOneFrame(name, (line) => line.deliver('{"error_code":"ErrInternal","error":"sorry"}')),
    ),
  ];
}

/** Holds a frame back until the next one has gone. */
function swapping(name: StreamName): FaultHooks {
  let held: string | undefined;
  return toFrames(name, (line, text) => {
    if (line.frames < 2 || text.length < 8) return false;
    if (held === undefined) held = text;
    else {
      line.deliver(text);
      line.deliver(held);
      held = undefined;
    }
    return true;
  });
}

/** Nothing comes any more, not even a pong; what would have come is lost. */
function mute(name: StreamName): FaultHooks {
  const muted = new Set<StreamLine>();
  return {
    ...toFrames(name, (line) => {
      line.isMute = true;
      muted.add(line);
      return true;
    }),
    end: () => {
      for (const line of muted) line.isMute = false;
    },
  };
}

/** As {@link mute}, and everything comes at the end. */
function holding(name: StreamName): FaultHooks {
  const held: { readonly line: StreamLine; readonly text: string }[] = [];
  return {
    ...toFrames(name, (line, text) => {
      held.push({ line, text });
      return true;
    }),
    end: () => {
      for (const { line, text } of held) line.deliver(text);
    },
  };
}

/** Each connection is closed at its first frame, each time with another code. */
function closing(name: StreamName): FaultHooks {
  let next = 0;
  const closed = new WeakSet<StreamLine>();
  return {
    begin: (proxy) => {
      for (const line of proxy.linesOf(name)) line.close(closeCodes[next++] ?? 1000, 'bye');
    },
    ...toFrames(name, (line) => {
      if (!closed.has(line)) line.close(closeCodes[next++ % closeCodes.length] ?? 1000, 'bye');
      closed.add(line);
      return true;
    }),
  };
}
