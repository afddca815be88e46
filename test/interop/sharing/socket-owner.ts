import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** Whether a process has the loopback TCP socket with a local port, as Linux lists them. */
export function ownsSocket(pid: number | undefined, port: number): boolean {
  const inode = findInode(port);
  if (pid === undefined || inode === undefined) return false;
  return readdirSync(`/proc/${pid}/fd`).some((fd) => readLink(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`);
}

/** Columns of /proc/net/tcp: number, local address and port (hexadecimal), …, inode (the tenth). */
function findInode(port: number): string | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  const columns = lines.map((line) => line.trim().split(/\s+/)).find(([, local]) => local?.endsWith(suffix));
  return columns?.[9];
}

/** A descriptor may be closed meanwhile. */
function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
