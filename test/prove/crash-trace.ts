/**
 * Reads a system call trace of a bot: whether each order's commit was synced to the disk before the
 * order was written to a socket.
 *
 *     pwrite64(21</…/crash.sqlite-wal>, "…b1-k3…", 4096, 0) = 4096    its attempt
 *     fdatasync(21</…/crash.sqlite-wal>) = 0                          on the disk
 *     write(30<…>, "pair=XBTZAR&…&client_order_id=b1-k3…&…", 251)     only now it leaves
 */

export type SendTrace = {
  readonly sends: number;
  readonly syncs: number;
  /** Least number of syncs between an order's last entry in the log and its leaving. */
  readonly syncsPerSendMin: number;
  /** Orders that left without one. */
  readonly unsynced: readonly string[];
};

/** The system calls that {@link readTrace} needs. */
export const tracedCalls = 'fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg';

/** Reads what strace wrote about the bot's main thread, which is where both happen. */
export function readTrace(lines: Iterable<string>): SendTrace {
  const written: { readonly text: string; readonly syncsBefore: number }[] = [];
  const unsynced: string[] = [];
  const sent = new Set<string>();
  let syncs = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (/^f(?:data)?sync\(\d+<[^>]*-wal>/u.test(line)) syncs++;
    else if (/^pwrite64\(\d+<[^>]*-wal>/u.test(line))
      written.push({ text: line, syncsBefore: syncs });
    else {
      // A form with a time to live is an order; the lookup of one has its id in the address.
      const id = /[?&"]ttl=/u.test(line) ? /client_order_id=([\w-]+)/u.exec(line)?.[1] : undefined;
      if (id === undefined || sent.has(id)) continue;
      sent.add(id);
      const entry = written.findLast(({ text }) => text.includes(id));
      const between = entry === undefined ? 0 : syncs - entry.syncsBefore;
      least = Math.min(least, between);
      if (between === 0) unsynced.push(id);
    }
  }
  return { sends: sent.size, syncs, syncsPerSendMin: sent.size === 0 ? 0 : least, unsynced };
}
