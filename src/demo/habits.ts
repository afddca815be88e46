import { meets, ordered } from './select.js';
import type { Team } from './select.js';

/** What a repository answers to one query. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** A repository's manners: from its teams to its answer to each query. */
export type Habit = (teams: readonly Team[]) => (query: URLSearchParams) => Answer;

interface Manners {
  /** The largest page, in records, whatever the limit. */
  readonly cap: number;
  /** Whether answers come in an envelope when the query does not say. */
  readonly envelope: boolean;
  /** When the register last changed, as an HTTP date. */
  readonly changed: string;
}

const any = /^/;
const whole = /^\d{1,9}$/;
const truth = /^(?:true|false|0|1)$/;

/** Parameters that are no property, and the values that each takes. */
const parameters: ReadonlyMap<string, RegExp> = new Map([
  ['fields', any],
  ['limit', whole],
  ['offset', whole],
  ['sort', any],
  ['envelope', truth],
  ['pretty', truth],
  ['country', /^[a-z]{2}(?:,[a-z]{2})*$/i],
  ['team', any],
  ['q', any],
]);

/** Answers as the directory interface asks for it (interfaces.md, sections 1 and 4.1), but for regions and JSONP. */
export function exemplary(manners: Manners): Habit {
  return (teams) => {
    const properties = new Set(teams.flatMap((team) => Object.keys(team)));
    return (asked) => {
      const query = new URLSearchParams([...asked].filter(([, value]) => value !== ''));
      const fault = faultIn(query, properties);
      if (fault !== undefined) return refusal(fault);
      const matched = teams.filter((team) => meets(team, query));
      return page(ordered(matched, query.get('sort') ?? 'short-team-name', properties), query, manners);
    };
  };
}

/** Knows limit and offset, no other parameter, and no total: `length` counts the page, as API versions before 1 did. */
export const sloppy: Habit = (teams) => (query) => {
  const number = (name: string, otherwise: number): number =>
    whole.test(query.get(name) ?? '') ? Number(query.get(name)) : otherwise;
  const offset = number('offset', 0);
  const data = teams.slice(offset, offset + number('limit', 50));
  return { status: 200, headers: {}, body: JSON.stringify({ status: 200, length: data.length, data }) };
};

function faultIn(query: URLSearchParams, properties: ReadonlySet<string>): string | undefined {
  for (const [name, value] of query) {
    const accepted = parameters.get(name) ?? (properties.has(name) && name !== 'last-modified' ? any : undefined);
    if (accepted === undefined) return `${name} is not a parameter of this repository`;
    if (!accepted.test(value)) return `${name} does not take this value`;
  }
  const sorted = names(query, 'sort').map((name) => (properties.has(name) ? name : name.replace(/^-/, '')));
  const unknown = [...names(query, 'fields'), ...sorted].find((name) => !properties.has(name));
  return unknown === undefined ? undefined : `${unknown} is not a property of this repository`;
}

function refusal(message: string): Answer {
  const body = JSON.stringify({ status: 'Bad Request', status_code: 400, version: '1.0', message });
  return { status: 400, headers: {}, body };
}

function page(matched: readonly Team[], query: URLSearchParams, { cap, envelope, changed }: Manners): Answer {
  const limit = Math.min(Number(query.get('limit') ?? cap), cap);
  const offset = Number(query.get('offset') ?? 0);
  const total = matched.length;
  const data = matched.slice(offset, offset + limit).map((team) => narrowed(team, names(query, 'fields')));
  const head = { status: 'OK', status_code: 200, version: '1.0', total, 'last-modified': changed, limit, offset };
  const body = isTrue(query.get('envelope'), envelope) ? { ...head, data } : data;
  return {
    status: 200,
    headers: { 'X-Version': '1.0', 'X-Total-Count': String(total), 'Last-Modified': changed },
    body: JSON.stringify(body, null, isTrue(query.get('pretty'), true) ? 4 : 0),
  };
}

function narrowed(team: Team, fields: readonly string[]): Team {
  if (fields.length === 0) return team;
  return Object.fromEntries(Object.entries(team).filter(([name]) => fields.includes(name)));
}

function names(query: URLSearchParams, parameter: string): readonly string[] {
  return (query.get(parameter) ?? '').split(',').filter((name) => name !== '');
}

function isTrue(value: string | null, otherwise: boolean): boolean {
  return value === null ? otherwise : ['true', '1'].includes(value);
}
