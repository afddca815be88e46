import { PACKAGE_FOLDER } from '../program/package-folder.js';

/** Bundles of the build (tools/build.js), each with all that its thread needs. */
export type ThreadName = 'body-parser-thread' | 'key-reader-thread' | 'index-thread' | 'search-thread';

/** Threads run the built program, also where TypeScript sources start them: a thread cannot load those. */
export function threadModule(name: ThreadName): URL {
  return new URL(`dist/${name}.js`, PACKAGE_FOLDER);
}
