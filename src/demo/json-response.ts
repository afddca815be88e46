/** A record as a sample repository keeps it. */
export type SampleRecord = Readonly<Record<string, unknown>>;

/** What a repository answers to one query. */
export interface SampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** One interface of a repository: answers to a path below its base address, such as `/teams`, without extension. */
export type InterfaceHandler = (path: string, query: URLSearchParams) => SampleResponse;

/** A document as an answer, indented unless the query wants it otherwise. */
export function jsonResponse(
  document: unknown,
  query: URLSearchParams,
  headers: SampleResponse['headers'],
): SampleResponse {
  return { status: 200, headers, body: JSON.stringify(document, null, isTrue(query.get('pretty'), true) ? 4 : 0) };
}

/** An error in an envelope, whose properties each interface names in its own way. */
export function errorResponse(status: number, envelope: SampleRecord): SampleResponse {
  return { status, headers: {}, body: JSON.stringify(envelope) };
}

/** A boolean parameter, or what holds where it is absent. */
export function isTrue(value: string | null, otherwise: boolean): boolean {
  return value === null ? otherwise : ['true', '1'].includes(value);
}
