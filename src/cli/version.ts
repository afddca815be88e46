import { readFile } from 'node:fs/promises';

/** The package's own description. It stands as far above this file in `src` as in `dist`, in the container image too. */
const PACKAGE_JSON = new URL('../../package.json', import.meta.url);

/** Name and version of this program, as in "rollcall 0.1.0". Rejects where the package's description is missing. */
export async function nameAndVersion(): Promise<string> {
  const described: unknown = JSON.parse(await readFile(PACKAGE_JSON, 'utf8'));
  if (typeof described !== 'object' || described === null || !('name' in described && 'version' in described)) {
    throw new Error('package.json names no version');
  }
  return `${String(described.name)} ${String(described.version)}`;
}
