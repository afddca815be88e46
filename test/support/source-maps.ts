import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ModuleRunner } from 'vite/module-runner';

/** Null for a file that is not a compiled source. */
function readSourceMap(address: string): { readonly url: string; readonly map: string } | null {
  if (!/^file:.*\/var\/tests\//.test(address)) return null;
  const path = `${fileURLToPath(address)}.map`;
  return existsSync(path) ? { url: path, map: readFileSync(path, 'utf8') } : null;
}

/** Imports nothing: stack traces of all runners of a process name the lines of TypeScript by what one of them reads. */
export const sourceMapReader = new ModuleRunner({
  transport: { invoke: () => Promise.reject(new Error('not used')) },
  hmr: false,
  sourcemapInterceptor: { retrieveSourceMap: readSourceMap },
});
