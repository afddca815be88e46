/** One request, to the byte, and the answer that the specification gives it. */
export interface Exchange {
  /** Milliseconds by which the clock is set forward before the request. */
  readonly later: number;
  readonly method: string;
  /** As it goes over the wire: each character is a byte. */
  readonly target: string;
  readonly headers: readonly string[];
  readonly status: number;
  readonly expected: readonly ExpectedHeader[];
  /** To the byte; empty where the answer has no body. */
  readonly body: string;
}

/** A header that has exactly this text; `*` stands for any, undefined for a header that must be absent. */
export interface ExpectedHeader {
  readonly name: string;
  readonly text: string | undefined;
}

/** What one file of `test/cases` says. */
export interface CaseFile {
  /** A sentence about behaviour. */
  readonly title: string;
  /** Name of a file below `fleets`, without extension. */
  readonly fleet: string;
  /** Identifiers of `clauses.txt`. */
  readonly clauses: readonly string[];
  /** In their order, all put to one house. */
  readonly exchanges: readonly Exchange[];
}

/**
 * Reads a case. Bodies never end with a line feed, so those that end a file or an exchange are not part of them.
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
 *     body to the byte
 *
 * Further exchanges follow a line `###`, or `### 30s later`, which sets the clock forward. In targets, `{a*9000}` stands for
 * 9,000 times `a`, and `{0xFF}` for that byte; characters beyond ASCII are sent raw, as UTF-8. A line of a body that is closed by
 * `{CR}` ends with CR LF, one that is closed by `{LF}` with LF, the last one too. In headers, those asked for too, `{ETag 1}` stands
 * for what the first answer of the case said in that field (`filledIn`).
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

/** A header of an exchange with the texts of fields that earlier answers had; throws where one had no such field. */
export function fillPlaceholders(
  text: string,
  answers: readonly { readonly headers: ReadonlyMap<string, string> }[],
): string {
  return text.replace(/\{([A-Za-z-]+) (\d+)\}/g, (braced, name: string, at: string) => {
    const value = answers[Number(at) - 1]?.headers.get(name.toLowerCase());
    if (value === undefined) throw new Error(`${braced}: there was no such answer, or it had no such field`);
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
  if (groups === undefined) throw new Error(`not a request and its answer: ${text}`);
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
