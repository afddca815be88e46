import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';

/** Decide, beside `src`, what a build does. */
export const BUILD_INPUTS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tools/build.js',
  'tools/built-folder.js',
  'tools/compile.js',
];

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
 * nothing, where that fails. Two builds at the same time may both replace it.
 *
 * @param {string} root Path of the project.
 * @param {string} folder
 * @param {(folder: string) => Promise<void>} fill
 */
export async function replaceFolder(root, folder, fill) {
  const buildId = computeBuildId(root);
  mkdirSync(join(root, 'var'), { recursive: true });
  const next = mkdtempSync(join(root, 'var', `${basename(folder)}-`));
  const previous = `${next}-previous`;
  try {
    await fill(next);
    writeFileSync(join(next, BUILD_ID), buildId);
    try {
      if (existsSync(folder)) renameSync(folder, previous);
      renameSync(next, folder);
    } catch (error) {
      // Another build of the same sources was faster.
      if (!isBuilt(root, folder)) throw error;
    }
  } finally {
    for (const left of [next, previous]) rmSync(left, { recursive: true, force: true });
  }
}
