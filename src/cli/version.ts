import { readFile } from 'node:fs/promises';

/** The package's own package.json. Its relative path is the same from `src`, from `dist` and in the container image. */
const PACKAGE_JSON = new URL('../../package.json', import.meta.url);

/**
 * Name and version of this program, such as "rollcall 0.1.0" (operation 1.2). Rejects where package.json is missing or
 * has no version.
 */
export async function nameAndVersion(): Promise<string> {
  const packageJson: unknown = JSON.parse(await readFile(PACKAGE_JSON, 'utf8'));
  if (typeof packageJson !== 'object' || packageJson === null || !('name' in packageJson && 'version' in packageJson)) {
    throw new Error('package.json has no name or no version');
  }
  return `${String(packageJson.name)} ${String(packageJson.version)}`;
}
