import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, createBuilder, runnerImport } from 'vite';
import { computeBuildId } from './build-id.js';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const BUILD_ID = 'build-id';

/** Entries of the program: the command line, and the threads (src/workers/thread-module.ts). */
const PROGRAM = {
  rollcall: 'src/rollcall.ts',
  'body-parser-thread': 'src/source/body/body-parser-thread.ts',
  'key-reader-thread': 'src/source/keys/key-reader-thread.ts',
  'index-thread': 'src/search/index/index-thread.ts',
  'search-thread': 'src/search/search-thread.ts',
};

/** Script and style sheet of the pages. */
const PAGES = ['src/explorer/client/explorer.ts', 'src/explorer/client/explorer.css'];

/**
 * Builds `dist`: the program with its libraries in few files; in `client/`, what browsers load, with the map of the
 * pages. Nothing is replaced before all is built, and `build-id` is written last.
 *
 * @param {string} buildId
 */
async function buildProgram(buildId) {
  const folder = `${DIST}-${process.pid}`;
  try {
    await bundle({ folder, input: PROGRAM, hasPages: true });
    writeFileSync(join(folder, BUILD_ID), buildId);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(folder, DIST);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {{ folder: string, input: Record<string, string>, hasPages?: boolean }} options
 */
async function bundle({ folder, input, hasPages = false }) {
  const builder = await createBuilder({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    base: '/assets/',
    plugins: hasPages ? [worldMap()] : [],
    environments: {
      client: {
        build: {
          outDir: join(folder, 'client'),
          assetsDir: '',
          manifest: 'manifest.json',
          modulePreload: false,
          target: 'es2022',
          rolldownOptions: { input: PAGES },
        },
      },
      ssr: {
        resolve: { noExternal: true },
        build: {
          outDir: folder,
          emptyOutDir: false,
          target: 'node20',
          minify: false,
          sourcemap: true,
          license: { fileName: 'licenses.md' },
          rolldownOptions: {
            input,
            output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
          },
        },
      },
    },
  });
  const { client, ssr } = builder.environments;
  if (ssr === undefined || client === undefined) throw new Error('vite has no such environments');
  await builder.build(ssr);
  if (hasPages) await builder.build(client);
}

/**
 * Computes the map of the pages, and adds it to what browsers load.
 *
 * @returns {import('vite').Plugin}
 */
function worldMap() {
  return {
    name: 'world-map',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      const { module } = await runnerImport(join(ROOT, 'src/explorer/map/world-map.ts'));
      const { WORLD_MAP_FILE } = (await runnerImport(join(ROOT, 'src/explorer/map/world-map-file.ts'))).module;
      this.emitFile({ type: 'asset', fileName: WORLD_MAP_FILE, source: JSON.stringify(module.createWorldMap()) });
    },
  };
}

/**
 * @param {string} path
 */
function readIfPresent(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Compiles the benchmarks and the sources they use, file by file, because some of them start others by path. */
async function buildBenchmarks() {
  const entries = readdirSync(join(ROOT, 'bench'), { recursive: true, encoding: 'utf8' });
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: join(ROOT, 'var/benchmarks'),
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: entries.filter((path) => path.endsWith('.ts')).map((path) => join(ROOT, 'bench', path)),
        output: { preserveModules: true, preserveModulesRoot: ROOT, entryFileNames: '[name].js' },
      },
    },
  });
}

const wanted = computeBuildId(ROOT);
const found = readIfPresent(join(DIST, BUILD_ID));
if (found !== wanted || !process.argv.includes('--if-changed')) await buildProgram(wanted);
if (process.argv.includes('--benchmarks')) await buildBenchmarks();
