import { strFromU8, unzipSync } from 'fflate';

/** Returns the files of a ZIP archive as text, in their order. */
export function readZip(archive: Uint8Array): Map<string, string> {
  return new Map(Object.entries(unzipSync(archive)).map(([path, bytes]) => [path, strFromU8(bytes)]));
}
