import { parseUrl } from '../../../text/url.js';
import { SourceFailure } from '../../client/source-failure.js';

/** How many characters the bases of one feed may add: `least` in any case, or `factor` for each of its own if that is more. */
const MAX_ADDED = { least: 1_000_000, factor: 8 };

/**
 * Resolves the addresses of one feed. Each one that is relative to a base may become as long as that: a base of some
 * kilobytes makes gigabytes of many short references. So the characters of the bases are counted, and a feed that uses more
 * of them than any real one fails with a `SourceFailure` (`size`; decisions 8.6).
 */
export class AddressResolver {
  private readonly maxAdded: number;
  private added = 0;

  /** `address`: of the feed. `length`: its number of characters. */
  constructor(
    readonly address: URL,
    length: number,
  ) {
    this.maxAdded = Math.max(MAX_ADDED.least, MAX_ADDED.factor * length);
  }

  /** The absolute address. Undefined if it is invalid. */
  resolve(reference: string, base: URL): URL | undefined {
    this.count(base);
    return parseUrl(reference, base);
  }

  /** Counts one use of a base. */
  count({ href }: URL): void {
    this.added += href.length;
    if (this.added > this.maxAdded)
      throw new SourceFailure('size', `more than ${this.maxAdded} characters of base URLs`);
  }
}
