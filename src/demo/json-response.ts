/** A record of a sample repository. */
export type SampleRecord = Readonly<Record<string, unknown>>;

/** Response of a sample repository. */
export interface SampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, unless the headers have another `Content-Type`. */
  readonly body: string;
}

/**
 * Handler of one interface of a repository. `path` is relative to the base address, such as `/teams`, without the
 * extension `.json`.
 */
export type InterfaceHandler = (path: string, query: URLSearchParams) => SampleResponse;

/** A success response with a JSON document, indented unless `pretty` is false. */
export function jsonResponse(
  document: unknown,
  query: URLSearchParams,
  headers: SampleResponse['headers'],
): SampleResponse {
  return { status: 200, headers, body: JSON.stringify(document, null, isTrue(query.get('pretty'), true) ? 4 : 0) };
}

/** An error response; the property names of the envelope depend on the interface. */
export function errorResponse(status: number, envelope: SampleRecord): SampleResponse {
  return { status, headers: {}, body: JSON.stringify(envelope) };
}

/** Value of a boolean parameter, or `otherwise` if it is absent. */
export function isTrue(value: string | null, otherwise: boolean): boolean {
  return value === null ? otherwise : ['true', '1'].includes(value);
}
