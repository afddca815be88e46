/** A record as a sample repository keeps it. */
export type Kept = Readonly<Record<string, unknown>>;

/** What a repository answers to one query. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** One interface of a repository: answers to a path below its base address, such as `/teams`, without extension. */
export type Face = (path: string, query: URLSearchParams) => Answer;

/** A document as an answer, indented unless the query wants it otherwise. */
export function written(document: unknown, query: URLSearchParams, headers: Answer['headers']): Answer {
  return { status: 200, headers, body: JSON.stringify(document, null, isTrue(query.get('pretty'), true) ? 4 : 0) };
}

/** An error in an envelope, whose properties each interface names in its own way. */
export function refused(status: number, envelope: Kept): Answer {
  return { status, headers: {}, body: JSON.stringify(envelope) };
}

/** A boolean parameter, or what holds where it is absent. */
export function isTrue(value: string | null, otherwise: boolean): boolean {
  return value === null ? otherwise : ['true', '1'].includes(value);
}
