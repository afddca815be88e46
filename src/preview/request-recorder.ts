import type { Clock } from '../model/clock.js';
import type { HttpResponse, Layer } from '../source/client/http-client-types.js';
import type { RequestReport } from './preview-report.js';

type WritableRequestReport = { -readonly [Name in keyof RequestReport]: RequestReport[Name] };

/** Records the requests of one source client, which sends one at a time. */
export class RequestRecorder {
  private readonly recorded: WritableRequestReport[] = [];

  /**
   * `describeTarget` writes the address of a request without credentials, which a source may repeat in the target of a
   * redirect (decisions 8.4); `redact` replaces them in any other text.
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
    const { url } = request;
    const startedAt = this.clock.now();
    const report: WritableRequestReport = { target: this.describeTarget(url), milliseconds: 0 };
    this.recorded.push(report);
    const stop = (): void => {
      report.milliseconds = this.clock.now() - startedAt;
    };
    const response = await next(request, signal).finally(stop);
    report.status = response.status;
    const mediaType = response.header('content-type');
    if (mediaType !== undefined) report.mediaType = this.redact(mediaType);
    return new TimedResponse(response, stop);
  };

  /** Adds to the last request what is known once its body is read. */
  noteBody(facts: Pick<RequestReport, 'bytes' | 'format'>): void {
    Object.assign(this.recorded.at(-1) ?? {}, facts);
  }
}

/** Calls a function when the body has arrived. */
class TimedResponse implements HttpResponse {
  readonly status: number;

  constructor(
    private readonly response: HttpResponse,
    private readonly onBody: () => void,
  ) {
    this.status = response.status;
  }

  header(name: string): string | undefined {
    return this.response.header(name);
  }

  readBytes(most: number): Promise<Buffer> {
    return this.response.readBytes(most).finally(this.onBody);
  }

  discard(): Promise<void> {
    return this.response.discard();
  }
}
