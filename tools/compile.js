import { join } from 'node:path';
import { build } from 'vite';

/**
 * Compiles TypeScript file by file, with all that it imports from this project.
 *
 * @param {{ root: string, files: readonly string[], folder: string }} options `files` are paths below `root`; `folder`
 *   is emptied.
 */
export async function compile({ root, files, folder }) {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    // Node.js 20 prints a warning when it imports JSON.
    ssr: { noExternal: ['cldr-core'] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: files.map((file) => join(root, file)),
        // The bundler would remove calls of global functions that are there because they may throw.
        treeshake: false,
        output: { preserveModules: true, preserveModulesRoot: root, entryFileNames: '[name].js', minify: false },
      },
    },
  });
}
