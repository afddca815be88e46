import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Decide, beside `src`, what a build does. */
const BUILD_INPUTS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tools/build.js', 'tools/compile.js'];

/** As many as Git shows of a commit in large repositories. */
const BUILD_DIGITS = 12;

/**
 * Hexadecimal digits, the same for all builds of the same sources.
 *
 * @param {string} root Path of the project.
 * @returns {string}
 */
export function computeBuildId(root) {
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
 * Whether `dist` is the build of the present sources.
 *
 * @param {string} root Path of the project.
 * @returns {boolean}
 */
export function isBuilt(root) {
  const file = join(root, 'dist/build-id');
  return existsSync(file) && readFileSync(file, 'utf8') === computeBuildId(root);
}
