import { readFileSync } from 'node:fs';
import { readFeed } from '../../../../src/source/format/feed/read-feed.js';
import type { Feed } from '../../../../src/source/format/feed/read-feed.js';
import { SourceFailure } from '../../../../src/source/client/source-failure.js';
import { FindingCounter } from '../../../../src/source/record/findings.js';

/** A feed with the findings about it. */
export interface ReadSample {
  readonly feed: Feed;
  readonly findings: Readonly<Record<string, number>>;
}

const ADDRESS = 'https://user:secret@cert.example.org/news/feed.xml?key=secret';

/** Reads a body as a feed. */
export function readSample(body: string | Buffer, contentType?: string): ReadSample {
  const counter = new FindingCounter();
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const feed = readFeed(bytes, { contentType, address: new URL(ADDRESS) }, counter);
  return { feed, findings: Object.fromEntries(counter.findings) };
}

/** Reads a file of `test/fixtures/feeds/`. */
export function readFixture(name: string): ReadSample {
  return readSample(readFileSync(new URL(`../../../fixtures/feeds/${name}`, import.meta.url)));
}

/** RSS 2.0 with these items. */
export function rss(items: string): string {
  return `<rss version="2.0"><channel><title>T</title>${items}</channel></rss>`;
}

/** The reason and the message for which a body is refused; `feed` if it is read. */
export function describeRefusal(body: string | Buffer, contentType?: string): string {
  try {
    readSample(body, contentType);
    return 'feed';
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return `${error.reason}: ${error.message}`;
  }
}
