import { BodyParser } from '../../../../src/source/body/body-parser.js';
import type { BodyParserOptions } from '../../../../src/source/body/body-parser.js';

/** Creates a body parser with a real worker thread. The timeout allows for a machine that is busy with other tests. */
export function bodyParser(options: Partial<BodyParserOptions> = {}): BodyParser {
  return new BodyParser({ timeout: 60_000, maxBody: 16 * 2 ** 20, ...options });
}
