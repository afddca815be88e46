import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt, replaceFolder } from './built-folder.js';
import { compile } from './compile.js';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src/');
const COMPILED = join(ROOT, 'var/tests');

/** Compiles the sources to `var/tests`, where they have changed: file by file, because tests use single modules. */
export async function compileSources() {
  if (isBuilt(ROOT, COMPILED)) return;
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  await replaceFolder(ROOT, COMPILED, (folder) =>
    compile({ root: ROOT, files: files.map((file) => join('src', file)), folder }),
  );
}

/**
 * Lets tests import the compiled sources, which Node.js loads once for each process, without the module runner of Vitest.
 *
 * @returns {import('vite').Plugin}
 */
export function useCompiledSources() {
  return {
    name: 'compiled-sources',
    enforce: 'pre',
    config: () => ({ test: { server: { deps: { external: [new RegExp(`^${escapeForPattern(COMPILED)}/`)] } } } }),
    resolveId(source, importer) {
      if (!source.startsWith('.') || importer === undefined) return undefined;
      const path = join(importer, '..', source);
      return path.startsWith(SOURCES) ? join(COMPILED, 'src', path.slice(SOURCES.length)) : undefined;
    },
  };
}

/** @param {string} text */
function escapeForPattern(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
