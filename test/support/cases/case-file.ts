/** One request, byte for byte, and the response that the specification requires. */
export interface Exchange {
  /** Milliseconds by which the clock advances before the request. */
  readonly later: number;
  readonly method: string;
  /** Request target as sent: each character is one byte. */
  readonly target: string;
  readonly headers: readonly string[];
  readonly status: number;
  readonly expected: readonly ExpectedHeader[];
  /** Expected body, byte for byte; empty if the response has no body. */
  readonly body: string;
}

/** An expected header field: its exact value, `*` for any value, or undefined if the field must be absent. */
export interface ExpectedHeader {
  readonly name: string;
  readonly text: string | undefined;
}

/** The content of one file in `test/cases`. */
export interface CaseFile {
  /** A sentence about behaviour. */
  readonly title: string;
  /** Name of a file in `test/cases/fleets`, without extension. */
  readonly fleet: string;
  /** Identifiers of `clauses.txt`. */
  readonly clauses: readonly string[];
  /** In order, all sent to the same gateway. */
  readonly exchanges: readonly Exchange[];
}

/**
 * Parses a case file. A body never ends with a line feed: line feeds at the end of a file or an exchange are not part of the body.
 *
 *     # Title
 *     # fleet: name
 *     # clauses: one two
 *
 *     GET /target
 *     Header: value
 *
 *     HTTP 200
 *     Header: exact value, or * for any
 *     !Absent-Header
 *
 *     body, byte for byte
 *
 * Further exchanges follow a line `###` or `### 30s later`, which advances the clock. In targets, `{a*9000}` stands for 9,000 times
 * `a`, and `{0xFF}` for that byte; characters beyond ASCII are sent raw, as UTF-8. A line of a body that ends with `{CR}` is
 * terminated by CR LF, and one that ends with `{LF}` by LF, even if it is the last line. In header fields of requests and of
 * expected responses, `{ETag 1}` stands for the value of that field in the first response of the case (`fillPlaceholders`).
 */
export function readCase(text: string): CaseFile {
  const head = /^(?:# .*\n)+/.exec(text)?.[0] ?? '';
  const [title = '', ...facts] = head.trim().split('\n');
  const [first = '', ...more] = text.slice(head.length).split(/^###(.*)\n/m);
  const exchanges = [readExchange(first, '')];
  for (let at = 0; at < more.length; at += 2) exchanges.push(readExchange(more[at + 1] ?? '', more[at] ?? ''));
  return {
    title: title.replace(/^# /, ''),
    fleet: fact(facts, 'fleet'),
    clauses: fact(facts, 'clauses').split(/\s+/),
    exchanges,
  };
}

/** Replaces the placeholders of a header field with values of earlier responses. Throws if there is no such response or field. */
export function fillPlaceholders(
  text: string,
  responses: readonly { readonly headers: ReadonlyMap<string, string> }[],
): string {
  return text.replace(/\{([A-Za-z-]+) (\d+)\}/g, (placeholder, name: string, at: string) => {
    const value = responses[Number(at) - 1]?.headers.get(name.toLowerCase());
    if (value === undefined) throw new Error(`${placeholder}: no such response, or it has no such field`);
    return value;
  });
}

function fact(lines: readonly string[], name: string): string {
  const start = `# ${name}: `;
  const line = lines.find((candidate) => candidate.startsWith(start));
  if (line === undefined) throw new Error(`the head has no line "${start}…"`);
  return line.slice(start.length).trim();
}

const EXCHANGE =
  /^\n*(?<method>[A-Z]+) (?<target>\S+)\n(?<headers>(?:.+\n)*)\n+HTTP (?<status>\d{3})(?:\n(?<expected>(?:.+\n?)*))?(?:\n(?<body>[^]*))?$/;

function readExchange(text: string, heading: string): Exchange {
  const groups = EXCHANGE.exec(text.replace(/\n+$/, ''))?.groups;
  if (groups === undefined) throw new Error(`not a request and its response: ${text}`);
  const { method = '', target = '', headers = '', status, expected = '', body = '' } = groups;
  return {
    later: readLater(heading.trim()),
    method,
    target: writtenOut(target),
    headers: linesOf(headers),
    status: Number(status),
    expected: linesOf(expected).map(readExpected),
    body: body.replace(/\{CR\}(?:\n|$)/g, '\r\n').replace(/\{LF\}(?:\n|$)/g, '\n'),
  };
}

function readLater(heading: string): number {
  if (heading === '') return 0;
  const seconds = /^(\d+)s later$/.exec(heading)?.[1];
  if (seconds === undefined) throw new Error(`"### ${heading}" is not like "### 30s later"`);
  return Number(seconds) * 1000;
}

function writtenOut(target: string): string {
  return Buffer.from(target)
    .toString('latin1')
    .replace(/\{([^*{}])\*(\d+)\}/g, (_, character: string, times: string) => character.repeat(Number(times)))
    .replace(/\{0x([0-9A-F]{2})\}/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
}

function linesOf(block: string): string[] {
  return block.split('\n').filter((line) => line !== '');
}

function readExpected(line: string): ExpectedHeader {
  if (line.startsWith('!')) return { name: line.slice(1), text: undefined };
  const [, name, text] = /^([^:]+): (.*)$/.exec(line) ?? [];
  if (name === undefined || text === undefined) throw new Error(`not a header: ${line}`);
  return { name, text };
}
