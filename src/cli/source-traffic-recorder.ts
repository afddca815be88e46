import type { EventOf, Publish } from '../events/event.js';
import { toLogLine } from '../events/log-lines.js';
import type { HttpResponse, Layer } from '../source/client/http-client-types.js';

interface Traffic {
  /** Path and query as sent, including retries and redirects. */
  readonly requests: string[];
  /** In the received pages, whether they match or not. */
  records: number;
  /** Decoded. */
  bytes: number;
  readonly warnings: string[];
}

/** Fields of a line that a warning includes, in this order. */
const INCLUDED_FIELDS = ['resource', 'capability', 'reason', 'detail', 'evidence'];

/** Of each source that a command queries (operation 1.6). */
export class SourceTraffic {
  private readonly bySource = new Map<string, Traffic>();

  /** `redact` replaces credentials of a source, which a redirect may repeat (decisions 8.4). */
  constructor(private readonly redact: (text: string, source: string) => string) {}

  of(source: string): Traffic {
    const traffic = this.bySource.get(source) ?? { requests: [], records: 0, bytes: 0, warnings: [] };
    this.bySource.set(source, traffic);
    return traffic;
  }

  readonly observe =
    (source: string): Layer<HttpResponse> =>
    (next) =>
    (request, signal) => {
      this.of(source).requests.push(this.redact(request.url.pathname + request.url.search, source));
      return next(request, signal);
    };

  readonly note: Publish = (event) => {
    if (!('source' in event)) return;
    const traffic = this.of(event.source);
    if (event.type === 'source request') {
      traffic.bytes += event.bytes ?? 0;
      // An unreadable response has no records; the drain reports the failure.
      traffic.records += event.records ?? 0;
    } else traffic.warnings.push(...formatWarning(event));
  };
}

/** The counts of the report show what succeeded. */
function formatWarning(event: EventOf): readonly string[] {
  const line = toLogLine(event);
  if (line?.level !== 'warn' && line?.level !== 'error') return [];
  const fields = new Map<string, unknown>(Object.entries(line.facts));
  const included = INCLUDED_FIELDS.flatMap((name) => (fields.has(name) ? [String(fields.get(name))] : []));
  return [[line.message, ...included].join(', ')];
}
