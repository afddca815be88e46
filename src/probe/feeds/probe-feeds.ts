import { feedEntries } from '../../model/resources/feed-entries.js';
import { requirePage } from '../../source/body/read-responses.js';
import type { ExpectedBody } from '../../source/body/parse-page-body.js';
import { createConditionalHeaders } from '../../source/client/conditional-request.js';
import { createRedaction } from '../../source/client/credentials.js';
import { asFailure } from '../../source/client/source-failure.js';
import type { SourceFailure } from '../../source/client/source-failure.js';
import type { FeedAddress, FeedPaging } from '../../source/dialect/dialect.js';
import type { PageParser } from '../../source/dialect/raw-page.js';
import { createFeedParser } from '../../source/dialect/feed/feed-parser.js';
import type { DrainRequests } from '../../lists/reading/drain-requests.js';
import { nameFeeds } from '../../lists/feeds/feed-addresses.js';
import { nameFeedFormat } from '../../source/format/feed/feed-format.js';
import { RecordReader } from '../../source/record/record-reader.js';
import type { ExaminationOptions } from '../../lists/reading/examination-requests.js';
import type { CheckResult, ProbeFinding } from '../finding.js';
import { CountedRequests, ProbeStopped, describeProbeFailure } from '../probe-client.js';
import { describeFeed } from './feed-findings.js';
import type { ProbedFeed } from './feed-findings.js';

/** What the probe of a source of feeds found. */
export interface FeedProbeResult {
  readonly findings: readonly ProbeFinding[];
  /** Number of requests sent, redirects included. */
  readonly requests: number;
  /** Whether at least one feed could be read. */
  readonly reached: boolean;
}

/**
 * Probes the feeds of a source in their order (operation 1.5.5): requests each, and revalidates it at once. A server that
 * answers 429 or with `Retry-After` gets no further request. Never rejects because of the source's behaviour.
 */
export async function probeFeeds(options: ExaminationOptions, { feeds }: FeedPaging): Promise<FeedProbeResult> {
  const counted = new CountedRequests(options);
  const probe = new FeedProbe(options, counted.requests);
  const names = nameFeeds(feeds.map(({ url }) => url.href));
  const redact = options.credential === undefined ? (text: string) => text : createRedaction(options.credential);
  const findings: ProbeFinding[] = [];
  for (const [at, feed] of feeds.entries()) {
    const of = { resource: feedEntries.name, feed: names[at] ?? '' };
    for (const result of await probe.run(feed)) findings.push({ ...of, ...result, evidence: redact(result.evidence) });
  }
  return { findings, requests: counted.count, reached: probe.hasReadFeed };
}

/** Failures that show that what was received is no feed. */
const UNREADABLE: readonly SourceFailure['reason'][] = ['body', 'schema', 'size'];

/** The requests for the feeds of one source. */
class FeedProbe {
  hasReadFeed = false;
  /** Why an origin gets no further request. */
  private readonly stopped = new Map<string, string>();

  constructor(
    private readonly options: ExaminationOptions,
    private readonly requests: DrainRequests,
  ) {}

  async run(feed: FeedAddress): Promise<readonly CheckResult[]> {
    const reason = this.stopped.get(feed.url.origin);
    if (reason !== undefined)
      return [{ topic: 'feed', verdict: 'open', evidence: describeProbeFailure(new ProbeStopped(reason)) }];
    try {
      const probed = await this.read(feed);
      this.hasReadFeed = true;
      const { ttl } = this.options.registration;
      return [...describeFeed(probed, ttl), await this.revalidate(feed, probed)];
    } catch (error) {
      const failure = this.takeFailure(error, feed);
      return UNREADABLE.includes(failure.reason)
        ? [{ topic: 'feed', verdict: 'refuted', evidence: failure.message }]
        : [{ topic: 'feed', verdict: 'open', evidence: describeProbeFailure(failure) }];
    }
  }

  private async read({ url, format }: FeedAddress): Promise<ProbedFeed> {
    let observed: Pick<ProbedFeed, 'feed' | 'items'> | undefined;
    let name: ProbedFeed['format'];
    const parse = createFeedParser(format, (feed, items) => {
      observed = { feed, items };
    });
    const reply = await this.requests.request(
      url,
      this.expect(format, (body, ...context) => {
        name = nameFeedFormat(body);
        return parse(body, ...context);
      }),
    );
    const page = requirePage(reply);
    if (observed === undefined) throw new Error('the feed was not parsed in this thread');
    return { url, ...observed, reply, page, format: name };
  }

  /** Whether the source answers 304 to its own validators (decisions 7.4). */
  private async revalidate({ url, format }: FeedAddress, { reply, page }: ProbedFeed): Promise<CheckResult> {
    const topic = 'revalidation';
    const condition = createConditionalHeaders(reply, reply.readAt);
    if (condition === undefined) {
      const evidence = 'no usable validator: no ETag, and no Last-Modified header older than the response';
      return { topic, verdict: 'open', evidence: `${evidence}; each refresh transfers ${reply.bytes} bytes` };
    }
    const name = Object.keys(condition).join();
    try {
      const validator = { url, condition, freshnessLifetime: Infinity };
      const second = await this.requests.revalidatePage(validator, this.expect(format, createFeedParser(format)));
      if ('notModified' in second) return { topic, verdict: 'proved', evidence: `304 to ${name}` };
      const isSame = requirePage(second).fingerprint === page.fingerprint;
      const evidence = `${name} is ignored: the same feed again, ${second.bytes} bytes for each refresh`;
      return isSame
        ? { topic, verdict: 'refuted', evidence }
        : { topic, verdict: 'open', evidence: 'the feed changed between the two requests' };
    } catch (error) {
      return { topic, verdict: 'open', evidence: describeProbeFailure(this.takeFailure(error, { url })) };
    }
  }

  private expect(format: FeedAddress['format'], parse: PageParser): ExpectedBody {
    const { provenance, dialects } = this.options.registration;
    const accept = dialects[feedEntries.interfaceName]?.accept ?? '';
    return {
      recordReader: new RecordReader(feedEntries, provenance),
      format,
      accept,
      loadParser: () => Promise.resolve(parse),
    };
  }

  private takeFailure(error: unknown, { url: { origin } }: Pick<FeedAddress, 'url'>): SourceFailure {
    const failure = asFailure(error);
    if (failure.status === 429 || failure.retryAfter !== undefined)
      this.stopped.set(origin, `its server asked for a pause (${failure.message})`);
    return failure;
  }
}
