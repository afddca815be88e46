import type { Query } from '../model/query.js';

export type SampleRecord = Readonly<Record<string, unknown>>;

export interface SampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, unless the headers have another `Content-Type`. */
  readonly body: string;
}

/** `path` is relative to the base address, such as `/teams`, without `.json`; `search` has no `?`. */
export type InterfaceHandler = (path: string, search: string) => SampleResponse | Promise<SampleResponse>;

/** Indented unless `pretty` is false. */
export function jsonResponse(document: unknown, { pretty }: Query, headers: SampleResponse['headers']): SampleResponse {
  return { status: 200, headers, body: JSON.stringify(document, null, pretty ? 4 : 0) };
}

/** The property names of the envelope depend on the interface. */
export function errorResponse(status: number, envelope: SampleRecord): SampleResponse {
  return { status, headers: {}, body: JSON.stringify(envelope) };
}
