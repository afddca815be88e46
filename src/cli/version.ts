import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { serializeUserAgent } from '../headers/user-agent.js';

export interface ProgramVersion {
  /** Such as "0.1.0". */
  readonly version: string;
  /** Hexadecimal digits that differ between two builds of different sources, whatever their version is. */
  readonly build: string;
}

/** The relative path is the same from `src`, from `dist` and in the container image. */
const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

export const BUILD_FILE = new URL('../build-id', import.meta.url);

/** Decide, beside `src`, what a build does. */
const BUILD_INPUTS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'vite.config.ts'];

/** As many as Git shows of a commit in large repositories. */
const BUILD_DIGITS = 12;

/** Such as "rollcall 0.1.0+3f2a9c1d0b7e" (operation 1.2). Rejects as {@link readVersion} does. */
export async function nameAndVersion(): Promise<string> {
  const { version, build } = await readVersion();
  return `rollcall ${version}+${build}`;
}

/** Rejects where package.json or the file of a built program is missing. */
export async function readVersion(): Promise<ProgramVersion> {
  const packageJson: unknown = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
  if (typeof packageJson !== 'object' || packageJson === null || !('version' in packageJson))
    throw new Error('package.json has no version');
  // Without a build, the TypeScript sources run.
  const isBuilt = import.meta.url.endsWith('.js');
  return {
    version: String(packageJson.version),
    build: isBuilt ? await readFile(BUILD_FILE, 'utf8') : await computeBuildId(),
  };
}

/** For requests to sources (operation 2.3.12). Rejects as {@link readVersion} does. */
export async function readUserAgent({ server }: Config): Promise<string> {
  return serializeUserAgent((await readVersion()).version, server.publicUrl);
}

/** All builds of the same sources have the same id. */
export async function computeBuildId(): Promise<string> {
  const entries = await readdir(join(PACKAGE, 'src'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sources = files.map(({ parentPath, name }) => relative(PACKAGE, join(parentPath, name)));
  const hash = createHash('sha256');
  for (const path of [...BUILD_INPUTS, ...sources.sort()]) {
    const content = await readFile(join(PACKAGE, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, BUILD_DIGITS);
}
