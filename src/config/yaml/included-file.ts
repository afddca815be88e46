import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import type { IncludedFileReader } from './expand-variables.js';

/** Keys and tokens are much shorter. */
const MAX_BYTES = 64 * 1024;

/**
 * A relative path is relative to `folder` (operation 2.1.2). A file has at most 64 KiB in UTF-8. One line break at its
 * end is not part of the content, because editors and `echo` add it. Reading is synchronous: it happens while the
 * configuration is parsed.
 */
export function createIncludedFileReader(folder: string): IncludedFileReader {
  return (path) => {
    try {
      const bytes = readAtMost(resolve(folder, path), MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) return { problem: `the file ${path} has more than 64 KiB` };
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return { content: text.replace(/\r?\n$/, '') };
    } catch (error) {
      return { problem: `the file ${path} ${describeFailure(error)}` };
    }
  };
}

/** Returns why the file cannot be read as a document (operation 2.8.16); undefined if it can. */
export type DocumentFileCheck = (path: string) => string | undefined;

export function createDocumentFileCheck(folder: string): DocumentFileCheck {
  return (path) => {
    try {
      // Without `O_NONBLOCK`, opening a pipe would wait for its writer.
      const file = openSync(resolve(folder, path), constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return fstatSync(file).isFile() ? undefined : `the file ${path} is not a regular file`;
      } finally {
        closeSync(file);
      }
    } catch (error) {
      return `the file ${path} ${describeFailure(error)}`;
    }
  };
}

/** The file may be a pipe or a device without end. */
function readAtMost(path: string, most: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(most);
    let length = 0;
    for (let read = -1; read !== 0 && length < most; length += read)
      read = readSync(file, bytes, length, most - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** By code alone: texts of errors may quote what was read. */
function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8 text' : `cannot be read: ${code}`;
}
