import { readFile } from 'node:fs/promises';

/** The package's own package.json. Its relative path is the same from `src`, from `dist` and in the container image. */
const PACKAGE_JSON = new URL('../../package.json', import.meta.url);

/**
 * Name and version of this program, such as "rollcall 0.1.0" (operation 1.2). Rejects where package.json is missing or
 * has no version.
 */
export async function nameAndVersion(): Promise<string> {
  const { name, version } = await readPackage();
  return `${name} ${version}`;
}

/** Version of this program, such as "0.1.0". Rejects as {@link nameAndVersion} does. */
export async function readVersion(): Promise<string> {
  return (await readPackage()).version;
}

async function readPackage(): Promise<{ readonly name: string; readonly version: string }> {
  const packageJson: unknown = JSON.parse(await readFile(PACKAGE_JSON, 'utf8'));
  if (typeof packageJson !== 'object' || packageJson === null || !('name' in packageJson && 'version' in packageJson)) {
    throw new Error('package.json has no name or no version');
  }
  return { name: String(packageJson.name), version: String(packageJson.version) };
}
