import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Opening a pipe would wait for its writer, but for `O_NONBLOCK`. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** A link, a socket. */
const REFUSED: ReadonlySet<unknown> = new Set(['ELOOP', 'ENXIO']);

/** Rejects where the path is a link, a pipe, or anything else but a file. */
export async function openFile(path: string): Promise<FileHandle> {
  const notRegular = new Error(`${path} is not a regular file`);
  const handle = await open(path, READ_FLAGS).catch((error: unknown) => {
    throw REFUSED.has(getErrorCode(error)) ? notRegular : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notRegular;
}

/** Undefined where there is none. */
export async function readText(path: string): Promise<string | undefined> {
  const handle = await openFile(path).catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  return handle?.readFile('utf8').finally(() => void handle.close());
}

/**
 * The file gets its name when it has been written and synchronised, so that a killed process leaves the earlier one.
 * Only its owner can read it. On failure the temporary file is removed, because the disk may be full.
 */
export async function replaceFile(path: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.tmp`;
  await removeTemporary(temporary);
  const handle = await open(temporary, 'wx', 0o600);
  try {
    const written = write(handle).then(() => handle.sync());
    await written.finally(() => handle.close());
    await rename(temporary, path);
  } catch (error) {
    await removeTemporary(temporary).catch(() => undefined);
    throw error;
  }
  // So that the name survives a power failure. Some systems cannot synchronise a folder, and need not.
  const folder = await open(dirname(path), 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Whatever it is: nothing else has its name. */
export function removeTemporary(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

export function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
