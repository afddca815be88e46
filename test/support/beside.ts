import { Beside } from '../../src/source/beside.js';
import type { BesideOptions } from '../../src/source/beside.js';

const tsx = import.meta.resolve('tsx/esm/api');
const thread = new URL('../../src/source/reading-thread.ts', import.meta.url).href;

/** The reading thread as it stands in `src`. */
const THREAD = running(`import { register } from '${tsx}'; register(); await import('${thread}');`);

/** A thread that runs this. */
export function running(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** Reads whatever it can, however little comes. */
export function eagerBeside(options: Partial<BesideOptions> = {}): Beside {
  return new Beside({ thread: THREAD, worth: 0, smallest: 0, ...options });
}
