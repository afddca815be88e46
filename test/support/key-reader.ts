import { KeyReader } from '../../src/source/key-reader.js';
import type { KeyReaderOptions } from '../../src/source/key-reader.js';
import { running } from './beside.js';

const tsx = import.meta.resolve('tsx/esm/api');
const thread = new URL('../../src/source/key-thread.ts', import.meta.url).href;

/** The thread of a key reader as it stands in `src`. */
const MODULE = running(
  `import { register } from '${tsx}'; register(); export default (await import('${thread}')).default;`,
);

/** Reads keys in a real thread. The limit of time is for a machine that is busy with other tests. */
export function keyReader(options: Partial<KeyReaderOptions> = {}): KeyReader {
  return new KeyReader({ module: MODULE, timeout: 60_000, ...options });
}
