import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** Opening a pipe would wait for its writer, but for `O_NONBLOCK`. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** A link, a socket. */
const REFUSED: ReadonlySet<unknown> = new Set(['ELOOP', 'ENXIO']);

export async function openRegularFile(path: string): Promise<FileHandle> {
  const handle = await open(path, READ_FLAGS).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && REFUSED.has(error.code) ? notRegular(path) : error;
  });
  const isRegular = await handle.stat().then((stats) => stats.isFile());
  if (isRegular) return handle;
  await handle.close();
  throw notRegular(path);
}

/** Rejects as {@link openRegularFile} does, and above `maxBytes` bytes. */
export async function readRegularFile(path: string, maxBytes = Infinity): Promise<string> {
  const handle = await openRegularFile(path);
  try {
    if ((await handle.stat()).size > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

export function notRegular(path: string): Error {
  return new Error(`${path} is not a regular file`);
}
