import { readFile, readdir, readlink } from 'node:fs/promises';

/** The process among these that has the local end of a TCP connection over IPv4, from its port; undefined if none has. */
export async function findConnectionOwner(pids: readonly number[], port: number): Promise<number | undefined> {
  for (const pid of pids) {
    const table = await readFile(`/proc/${pid}/net/tcp`, 'utf8');
    // A line: number, local address and port, remote address, state, …; the tenth word is the inode.
    const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    const inodes = table
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '']) => local.endsWith(suffix))
      .map((words) => `socket:[${words[9] ?? ''}]`);
    const files = await readdir(`/proc/${pid}/fd`);
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
    if (links.some((link) => inodes.includes(link))) return pid;
  }
  return undefined;
}
