import { KeyReader } from '../../../../src/source/keys/key-reader.js';
import type { KeyReaderOptions } from '../../../../src/source/keys/key-reader.js';

/** Creates a key reader with a real worker thread. The timeout allows for a machine that is busy with other tests. */
export function keyReader(options: Partial<KeyReaderOptions> = {}): KeyReader {
  return new KeyReader({ timeout: 60_000, ...options });
}
