export type SampleRecord = Readonly<Record<string, unknown>>;

export interface SampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, unless the headers have another `Content-Type`. */
  readonly body: string;
}

/** `path` is relative to the base address, such as `/teams`, without `.json`. */
export type InterfaceHandler = (path: string, query: URLSearchParams) => SampleResponse;

/** Indented unless `pretty` is false. */
export function jsonResponse(
  document: unknown,
  query: URLSearchParams,
  headers: SampleResponse['headers'],
): SampleResponse {
  return { status: 200, headers, body: JSON.stringify(document, null, isTrue(query.get('pretty'), true) ? 4 : 0) };
}

/** The property names of the envelope depend on the interface. */
export function errorResponse(status: number, envelope: SampleRecord): SampleResponse {
  return { status, headers: {}, body: JSON.stringify(envelope) };
}

/** `otherwise` if the parameter is absent. */
export function isTrue(value: string | null, otherwise: boolean): boolean {
  return value === null ? otherwise : ['true', '1'].includes(value);
}
