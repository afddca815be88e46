import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** Whether a process has a loopback TCP socket with a local port, as Linux lists them. */
export function ownsSocket(pid: number | undefined, port: number): boolean {
  if (pid === undefined) return false;
  const sockets = new Set(listInodes(port).map((inode) => `socket:[${inode}]`));
  return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(readLink(`/proc/${pid}/fd/${fd}`)));
}

/**
 * Columns of /proc/net/tcp: number, local address and port (hexadecimal), …, inode (the tenth). Several connections may
 * have the same local port; those that were closed lately have no inode.
 */
function listInodes(port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  const rows = lines.map((line) => line.trim().split(/\s+/)).filter(([, local]) => local?.endsWith(suffix) === true);
  return rows.map((columns) => columns[9] ?? '0').filter((inode) => inode !== '0');
}

/** A descriptor may be closed meanwhile. */
function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
