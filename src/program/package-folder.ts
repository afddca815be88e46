import { existsSync } from 'node:fs';

/**
 * The folder of package.json, from which the program reads what is not code: its version, the demo, the built pages and
 * threads. It is found in the same way from `src`, from the bundles in `dist`, and from those of the benchmarks.
 */
export const PACKAGE_FOLDER = findPackageFolder(new URL('./', import.meta.url));

/** Throws where neither the folder nor one above it has a package.json. */
function findPackageFolder(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('../', folder);
  if (parent.href === folder.href) throw Object.assign(new Error('package.json is missing'), { code: 'ENOENT' });
  return findPackageFolder(parent);
}
