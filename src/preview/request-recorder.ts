import type { Clock } from '../model/clock.js';
import type { HttpResponse, Layer } from '../source/client/http-client-types.js';
import type { RequestReport } from './preview-report.js';

type WritableRequestReport = { -readonly [Name in keyof RequestReport]: RequestReport[Name] };

/** The client sends one request at a time. */
export class RequestRecorder {
  private readonly recorded: WritableRequestReport[] = [];
  private startedAt = 0;

  /**
   * `describeTarget` writes an address without credentials, which a source may repeat in the target of a redirect
   * (decisions 8.4); `redact` replaces them in any other text.
   */
  constructor(
    private readonly clock: Clock,
    private readonly describeTarget: (url: URL) => string,
    private readonly redact: (text: string) => string,
  ) {}

  get requests(): readonly RequestReport[] {
    return this.recorded;
  }

  /** Sees every request, redirects included, without its credential. */
  readonly layer: Layer<HttpResponse> = (next) => async (request, signal) => {
    this.startedAt = this.clock.now();
    const report: WritableRequestReport = { target: this.describeTarget(request.url), milliseconds: 0 };
    this.recorded.push(report);
    const response = await next(request, signal).finally(() => {
      this.note({});
    });
    const mediaType = response.header('content-type');
    this.note({ status: response.status, ...(mediaType !== undefined && { mediaType: this.redact(mediaType) }) });
    return response;
  };

  /** Adds to the last request what is known of its response or body. */
  note(facts: Partial<RequestReport>): void {
    Object.assign(this.recorded.at(-1) ?? {}, { milliseconds: this.clock.now() - this.startedAt, ...facts });
  }
}
