import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import process from 'node:process';

/** Decide, beside `src`, what a build does. */
const BUILD_INPUTS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tools/build.js', 'tools/compile.js'];

/** A file in each folder that is built. */
const BUILD_ID = 'build-id';

/** As many as Git shows of a commit in large repositories. */
const BUILD_DIGITS = 12;

/**
 * Hexadecimal digits, the same for all builds of the same sources.
 *
 * @param {string} root Path of the project.
 * @returns {string}
 */
function computeBuildId(root) {
  const entries = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sources = files.map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const hash = createHash('sha256');
  for (const path of [...BUILD_INPUTS, ...sources.sort()]) {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, BUILD_DIGITS);
}

/**
 * Whether a folder was built from the present sources.
 *
 * @param {string} root Path of the project.
 * @param {string} folder
 * @returns {boolean}
 */
export function isBuilt(root, folder) {
  const file = join(folder, BUILD_ID);
  return existsSync(file) && readFileSync(file, 'utf8') === computeBuildId(root);
}

/**
 * Replaces a folder after `fill` has written all of the new one. Its `build-id` names the sources. Rejects, and replaces
 * nothing, where that fails.
 *
 * @param {string} root Path of the project.
 * @param {string} folder
 * @param {(folder: string) => Promise<void>} fill
 */
export async function replaceFolder(root, folder, fill) {
  const buildId = computeBuildId(root);
  const next = join(root, `var/${basename(folder)}-${process.pid}`);
  mkdirSync(join(root, 'var'), { recursive: true });
  try {
    mkdirSync(next);
    await fill(next);
    writeFileSync(join(next, BUILD_ID), buildId);
    rmSync(folder, { recursive: true, force: true });
    renameSync(next, folder);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}
