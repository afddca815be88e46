import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillPlaceholders, readCase } from './support/cases/case-file.js';
import type { CaseFile, Exchange } from './support/cases/case-file.js';
import { startCaseGateway } from './support/gateway/case-gateway.js';
import { rawRequest } from './support/http/raw-http.js';
import type { RawResponse } from './support/http/raw-http.js';

const folder = new URL('cases/', import.meta.url);

/** The start time of every case. */
const START = Date.parse('2026-06-01T12:00:00Z');

function readCases(): Map<string, CaseFile> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.http'));
  return new Map(files.map((file) => [file, readCase(readFileSync(new URL(file, folder), 'utf8'))]));
}

/** The identifiers of all clauses in `clauses.txt`, each of which must have a case. */
function readClauses(): string[] {
  const lines = readFileSync(new URL('clauses.txt', folder), 'utf8').split('\n');
  return lines.filter((line) => /^[a-z]+\d*-\d/.test(line)).map((line) => line.replace(/ .*/, ''));
}

async function runCase({ fleet, exchanges }: CaseFile): Promise<void> {
  let now = START;
  const replies: RawResponse[] = [];
  const gateway = await startCaseGateway(fleet, { now: () => now });
  try {
    for (const template of exchanges) {
      const exchange = fillExchange(template, replies);
      now += exchange.later;
      const reply = await rawRequest(gateway.port, exchange);
      replies.push(reply);
      expect(selectNamed(reply, exchange), `${exchange.method} ${exchange.target.slice(0, 200)}`).toEqual(
        expectedResponse(exchange),
      );
    }
  } finally {
    await gateway.close();
  }
}

/** Replaces the placeholders of an exchange by values of earlier responses. */
function fillExchange(exchange: Exchange, replies: readonly RawResponse[]): Exchange {
  const headers = exchange.headers.map((line) => fillPlaceholders(line, replies));
  const expected = exchange.expected.map(({ name, text }) => ({ name, text: text && fillPlaceholders(text, replies) }));
  return { ...exchange, headers, expected };
}

/** The parts of a response that a case compares. */
interface ComparedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

function expectedResponse({ status, expected, body }: Exchange): ComparedResponse {
  return { status, headers: Object.fromEntries(expected.map(({ name, text }) => [name, text])), body };
}

/** Reduces a response to the header fields that the case names, with `*` where the case accepts any value. */
function selectNamed({ status, headers, body }: RawResponse, { expected }: Exchange): ComparedResponse {
  const named = expected.map(({ name, text }) => {
    const value = headers.get(name.toLowerCase());
    return [name, text === '*' && value !== undefined ? '*' : value] as const;
  });
  return { status, headers: Object.fromEntries(named), body: body.toString('utf8') };
}

describe('the cases of the specification', () => {
  const cases = readCases();
  const clauses = readClauses();
  const covered = new Set([...cases.values()].flatMap((file) => file.clauses));

  it('cover every clause', () => {
    expect(clauses.filter((clause) => !covered.has(clause))).toEqual([]);
  });

  it('name only listed clauses, and each clause is listed once', () => {
    expect([...covered].filter((clause) => !clauses.includes(clause))).toEqual([]);
    expect(clauses).toEqual([...new Set(clauses)]);
  });

  it('have file names that begin with the document and section of one of their clauses', () => {
    const section = (name: string): string | undefined => /^[a-z]+\d*-\d+(?:\.\d+)*-/.exec(name)?.[0];
    const strays = [...cases].filter(
      ([file, { clauses: own }]) => !own.some((clause) => section(clause) === section(file)),
    );
    expect(strays.map(([file]) => file)).toEqual([]);
  });

  for (const [file, content] of cases) it(`${content.title} (${file})`, () => runCase(content));
});
