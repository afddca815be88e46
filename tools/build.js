import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { createBuilder, runnerImport } from 'vite';
import { isBuilt, replaceFolder } from './built-folder.js';
import { compile } from './compile.js';

// node tools/build.js [--if-changed] [--scripts]: builds the program; with --scripts, also the programs of developers.

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

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

/** @type {import('vite').InlineConfig} */
const COMMON = { root: ROOT, configFile: false, publicDir: false, logLevel: 'warn' };

/**
 * Builds the program with its libraries in few files; in `client/`, what browsers load, with the map of the pages.
 *
 * @param {string} folder
 */
async function bundle(folder) {
  const builder = await createBuilder({
    ...COMMON,
    base: '/assets/',
    plugins: [worldMap()],
    environments: {
      client: {
        build: {
          outDir: join(DIST, 'client'),
          write: false,
          assetsDir: '',
          modulePreload: false,
          target: 'es2022',
          rolldownOptions: {
            input: PAGES,
            output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
          },
        },
      },
      ssr: {
        resolve: { noExternal: true },
        build: {
          outDir: DIST,
          write: false,
          target: 'node20',
          minify: false,
          // Stack traces need positions and names (src/runtime/source-maps.ts), not the sources themselves.
          sourcemap: true,
          license: { fileName: 'licenses.md' },
          rolldownOptions: {
            input: PROGRAM,
            // The bundler would remove calls of global functions that are there because they may throw.
            treeshake: false,
            output: {
              entryFileNames: '[name].js',
              chunkFileNames: '[name]-[hash].js',
              sourcemapExcludeSources: true,
              minify: false,
            },
          },
        },
      },
    },
  });
  for (const environment of Object.values(builder.environments)) {
    const output = await builder.build(environment);
    if (!('output' in output)) throw new Error(`vite built several outputs of ${environment.name}`);
    for (const file of output.output) {
      const path = join(folder, relative(DIST, environment.config.build.outDir), file.fileName);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, file.type === 'chunk' ? file.code : file.source);
    }
  }
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
      const { createWorldMap, renderWorldMap } = await load('world-map');
      const { WORLD_MAP_FILE } = await load('world-map-file');
      this.emitFile({ type: 'asset', fileName: WORLD_MAP_FILE, source: renderWorldMap(createWorldMap()) });
    },
  };
}

/**
 * A module of `src/explorer/map/`. Its type is known where it is called.
 *
 * @param {'world-map' | 'world-map-file'} name
 */
async function load(name) {
  /** @type {{ module: typeof import('../src/explorer/map/world-map.js') & typeof import('../src/explorer/map/world-map-file.js') }} */
  const { module } = await runnerImport(join(ROOT, `src/explorer/map/${name}.ts`), COMMON);
  return module;
}

/** Compiles the benchmarks and the other programs of developers: file by file, because some of them start others by path. */
async function buildScripts() {
  const benchmarks = readdirSync(join(ROOT, 'bench'), { recursive: true, encoding: 'utf8' });
  const paths = benchmarks.filter((path) => path.endsWith('.ts')).map((path) => join('bench', path));
  const tests = ['soak/soak.ts', 'interop/redis/tls-client.ts', 'interop/browser/pictures.ts'];
  const files = [...paths, ...tests.map((path) => join('test', path)), 'config/demo/generate.ts'];
  await compile({ root: ROOT, files, folder: join(ROOT, 'var/scripts') });
}

const [, , ...options] = process.argv;
try {
  if (!options.includes('--if-changed') || !isBuilt(ROOT, DIST)) await replaceFolder(ROOT, DIST, bundle);
  if (options.includes('--scripts')) await buildScripts();
} catch (error) {
  process.stderr.write(`rollcall: the build failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
