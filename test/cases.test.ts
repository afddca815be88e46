import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillPlaceholders, readCase } from './support/cases/case-file.js';
import type { CaseFile, Exchange } from './support/cases/case-file.js';
import { startCaseGateway } from './support/cases/case-gateway.js';
import { rawRequest } from './support/http/raw-http.js';
import type { RawResponse } from './support/http/raw-http.js';

const folder = new URL('cases/', import.meta.url);

/** When every case begins. */
const BEGIN = Date.parse('2026-06-01T12:00:00Z');

function readCases(): Map<string, CaseFile> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.http'));
  return new Map(files.map((file) => [file, readCase(readFileSync(new URL(file, folder), 'utf8'))]));
}

/** Identifier and paraphrase of every clause that must have a case, as they stand in `clauses.txt`. */
function readClauses(): string[] {
  const lines = readFileSync(new URL('clauses.txt', folder), 'utf8').split('\n');
  return lines.filter((line) => /^[a-z]+\d*-\d/.test(line)).map((line) => line.replace(/ .*/, ''));
}

async function play({ fleet, exchanges }: CaseFile): Promise<void> {
  let now = BEGIN;
  const replies: RawResponse[] = [];
  const running = await startCaseGateway(fleet, { now: () => now });
  try {
    for (const written of exchanges) {
      const exchange = filled(written, replies);
      now += exchange.later;
      const reply = await rawRequest(running.port, exchange);
      replies.push(reply);
      expect(shown(reply, exchange), `${exchange.method} ${exchange.target.slice(0, 200)}`).toEqual(wanted(exchange));
    }
  } finally {
    await running.close();
  }
}

/** The exchange with what the answers before it said, where it speaks of them. */
function filled(exchange: Exchange, replies: readonly RawResponse[]): Exchange {
  const headers = exchange.headers.map((line) => fillPlaceholders(line, replies));
  const expected = exchange.expected.map(({ name, text }) => ({ name, text: text && fillPlaceholders(text, replies) }));
  return { ...exchange, headers, expected };
}

/** What the case speaks of. */
interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

function wanted({ status, expected, body }: Exchange): Shown {
  return { status, headers: Object.fromEntries(expected.map(({ name, text }) => [name, text])), body };
}

/** An answer as its case would write it: only the headers that it names, and `*` where it accepts any text. */
function shown({ status, headers, body }: RawResponse, { expected }: Exchange): Shown {
  const named = expected.map(({ name, text }) => {
    const value = headers.get(name.toLowerCase());
    return [name, text === '*' && value !== undefined ? '*' : value] as const;
  });
  return { status, headers: Object.fromEntries(named), body: body.toString('utf8') };
}

describe('the specification, case by case', () => {
  const cases = readCases();
  const clauses = readClauses();
  const named = new Set([...cases.values()].flatMap((file) => file.clauses));

  it('has a case for every clause', () => {
    expect(clauses.filter((clause) => !named.has(clause))).toEqual([]);
  });

  it('has no case for a clause that is not listed, and lists none twice', () => {
    expect([...named].filter((clause) => !clauses.includes(clause))).toEqual([]);
    expect(clauses).toEqual([...new Set(clauses)]);
  });

  it('names every case by document and section of a clause that it proves', () => {
    const section = (name: string): string | undefined => /^[a-z]+\d*-\d+(?:\.\d+)*-/.exec(name)?.[0];
    const strays = [...cases].filter(
      ([file, { clauses: own }]) => !own.some((clause) => section(clause) === section(file)),
    );
    expect(strays.map(([file]) => file)).toEqual([]);
  });

  for (const [file, content] of cases) it(`${content.title} (${file})`, () => play(content));
});
