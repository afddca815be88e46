import { feedEntries } from '../../model/resources/feed-entries.js';
import { requirePage } from '../../source/body/read-responses.js';
import type { ExpectedBody } from '../../source/body/parse-page-body.js';
import { createConditionalHeaders } from '../../source/client/conditional-request.js';
import { createRedaction } from '../../source/client/credentials.js';
import { asFailure } from '../../source/client/source-failure.js';
import type { SourceFailure } from '../../source/client/source-failure.js';
import type { FeedAddress, FeedPaging } from '../../source/dialect/dialect.js';
import { createFeedParser } from '../../source/dialect/feed/feed-parser.js';
import type { DrainRequests } from '../../source/drain/drain-requests.js';
import { nameFeeds } from '../../source/feeds/feed-addresses.js';
import { nameFeedFormat } from '../../source/format/feed/feed-format.js';
import { RecordReader } from '../../source/record/record-reader.js';
import { createProbeRequests } from '../client/probe-requests.js';
import type { ProbeClientOptions } from '../client/probe-requests.js';
import { BudgetExhausted, RequestBudget } from '../client/request-budget.js';
import type { CheckResult, ProbeFinding } from '../findings/finding.js';
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

/** Requests for one feed: one for the feed, and one that revalidates it. */
const REQUESTS_PER_FEED = 2;

/**
 * Probes the feeds of a source in their order (operation 1.5.5): requests each, and revalidates it at once. A server that
 * answers 429 or with `Retry-After` gets no further request. Never rejects because of the source's behaviour.
 */
export async function probeFeeds(options: ProbeClientOptions, { feeds }: FeedPaging): Promise<FeedProbeResult> {
  const budget = new RequestBudget(options.budget);
  const probe = new FeedProbe(options, createProbeRequests(options, budget));
  const names = nameFeeds(feeds.map(({ url }) => url.href));
  const redact = options.credential === undefined ? (text: string) => text : createRedaction(options.credential);
  const findings: ProbeFinding[] = [];
  for (const [at, feed] of feeds.entries()) {
    if (budget.used === budget.limit) {
      findings.push(describeOmitted(names.slice(at), budget.limit));
      break;
    }
    const results = await probe.run(feed);
    findings.push(
      ...results.map((result) => ({
        resource: feedEntries.name,
        feed: names[at] ?? '',
        ...result,
        evidence: redact(result.evidence),
      })),
    );
  }
  return { findings, requests: budget.used, reached: probe.hasReadFeed };
}

function describeOmitted(names: readonly string[], limit: number): ProbeFinding {
  const which = names.length === 1 ? (names[0] ?? '') : `${names.length} feeds from ${names[0] ?? ''} on`;
  const evidence = `not requested: ${which}, beyond the budget of ${limit} requests`;
  return {
    resource: feedEntries.name,
    topic: 'feeds',
    verdict: 'open',
    evidence,
    cost: names.length * REQUESTS_PER_FEED,
  };
}

/** Failures that show that what was received is no feed. */
const UNREADABLE: readonly SourceFailure['reason'][] = ['body', 'schema', 'size'];

/** The requests for the feeds of one source. */
class FeedProbe {
  hasReadFeed = false;
  /** Why an origin gets no further request. */
  private readonly stopped = new Map<string, string>();

  constructor(
    private readonly options: ProbeClientOptions,
    private readonly requests: DrainRequests,
  ) {}

  async run(feed: FeedAddress): Promise<readonly CheckResult[]> {
    const reason = this.stopped.get(feed.url.origin);
    if (reason !== undefined) return [{ topic: 'feed', verdict: 'open', evidence: `not requested: ${reason}` }];
    try {
      const probed = await this.read(feed);
      this.hasReadFeed = true;
      const { ttl } = this.options.registration;
      return [...describeFeed(probed, ttl), await this.revalidate(feed, probed)];
    } catch (error) {
      const failure = this.takeFailure(error, feed);
      return UNREADABLE.includes(failure.reason)
        ? [{ topic: 'feed', verdict: 'refuted', evidence: failure.message }]
        : [{ topic: 'feed', verdict: 'open', evidence: this.describeFailure(failure) }];
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
      const failure = this.takeFailure(error, { url });
      const cost = failure instanceof BudgetExhausted ? { cost: 1 } : {};
      return { topic, verdict: 'open', evidence: this.describeFailure(failure), ...cost };
    }
  }

  private expect(format: FeedAddress['format'], parse: ExpectedBody['parse']): ExpectedBody {
    const { provenance, dialects } = this.options.registration;
    const accept = dialects[feedEntries.interfaceName]?.accept ?? '';
    return { recordReader: new RecordReader(feedEntries, provenance), format, parse, accept };
  }

  private takeFailure(error: unknown, { url: { origin } }: Pick<FeedAddress, 'url'>): SourceFailure {
    const failure = asFailure(error);
    if (failure.status === 429 || failure.retryAfter !== undefined)
      this.stopped.set(origin, `its server asked for a pause (${failure.message})`);
    return failure;
  }

  private describeFailure(failure: SourceFailure): string {
    return failure instanceof BudgetExhausted
      ? `not requested: beyond the budget of ${this.options.budget} requests`
      : `request failed: ${failure.message}`;
  }
}
