import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { computeBuildId } from './build-id.js';
import { compile } from './compile.js';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src/');
const COMPILED = join(ROOT, 'var/tests/');

/**
 * Compiles the sources to `var/tests`, where they have changed: file by file, because tests use single modules. Nothing
 * is replaced before all is compiled.
 */
export async function compileSources() {
  const buildId = computeBuildId(ROOT);
  const known = join(COMPILED, 'build-id');
  if (existsSync(known) && readFileSync(known, 'utf8') === buildId) return;
  const folder = join(ROOT, `var/tests-${process.pid}`);
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  try {
    await compile({
      root: ROOT,
      files: files.filter((file) => /\.tsx?$/.test(file)).map((file) => join('src', file)),
      folder,
    });
    writeFileSync(join(folder, 'build-id'), buildId);
    rmSync(COMPILED, { recursive: true, force: true });
    renameSync(folder, COMPILED);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
    config: () => ({ test: { server: { deps: { external: [new RegExp(COMPILED)] } } } }),
    resolveId(source, importer) {
      if (!source.startsWith('.') || importer === undefined) return undefined;
      const path = join(importer, '..', source);
      return path.startsWith(SOURCES) ? join(COMPILED, 'src', path.slice(SOURCES.length)) : undefined;
    },
  };
}
