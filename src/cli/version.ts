import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.js';
import { serializeUserAgent } from '../headers/user-agent.js';
import { PACKAGE_FOLDER } from '../program/package-folder.js';

export interface ProgramVersion {
  /** Such as "0.1.0". */
  readonly version: string;
  /** Hexadecimal digits that differ between two builds of different sources, whatever their version is. */
  readonly build: string;
}

/** Such as "rollcall 0.1.0+3f2a9c1d0b7e" (operation 1.2). Rejects as {@link readVersion} does. */
export async function nameAndVersion(): Promise<string> {
  const { version, build } = await readVersion();
  return `rollcall ${version}+${build}`;
}

/** Rejects where package.json or the file of a build (tools/build.js) is missing. */
export async function readVersion(): Promise<ProgramVersion> {
  const packageJson: unknown = JSON.parse(await readFile(new URL('package.json', PACKAGE_FOLDER), 'utf8'));
  if (typeof packageJson !== 'object' || packageJson === null || !('version' in packageJson))
    throw new Error('package.json has no version');
  return {
    version: String(packageJson.version),
    build: await readFile(new URL('dist/build-id', PACKAGE_FOLDER), 'utf8'),
  };
}

/** For requests to sources (operation 2.3.12). Rejects as {@link readVersion} does. */
export async function readUserAgent({ server }: Config): Promise<string> {
  return serializeUserAgent((await readVersion()).version, server.publicUrl);
}
