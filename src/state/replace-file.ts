import { lstat, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { notRegular } from './regular-file.js';

/**
 * Replaces the file atomically, readable by its owner only. Follows no link. On failure the temporary file is removed,
 * because the disk may be full.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  // A device such as /dev/null must not be replaced.
  const isOther = await lstat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (isOther) throw notRegular(file);
  const temporary = `${file}.tmp`;
  await rm(temporary, { force: true });
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await writeAndSync(handle, text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(file));
}

async function writeAndSync(handle: FileHandle, text: string): Promise<void> {
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the new name survive a power failure. Some systems cannot sync a folder, and need not. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r').catch(() => undefined);
  await opened?.sync().catch(() => undefined);
  await opened?.close();
}
