import { open, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces the file atomically: at every moment it has the old or the new content. On failure the temporary file is
 * removed, because the disk may be full.
 */
export async function replaceFile(
  file: string,
  text: string,
  { mode }: { readonly mode?: number } = {},
): Promise<void> {
  // A device such as /dev/null must not be replaced.
  const isOther = await stat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (isOther) throw new Error('not a regular file');
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, 'w', mode);
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
