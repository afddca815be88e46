import type { Answer, Face, Kept } from './answer.js';
import { isTrue, refused, written } from './answer.js';
import type { Parameters } from './reserved.js';
import { anything, codes, cut, faultIn, given, pageOf, propertiesOf, reserved } from './reserved.js';
import { meets, ordered } from './select.js';

/** The manners of a directory interface: from its teams to its answers. */
export type Habit = (teams: readonly Kept[]) => Face;

interface Manners {
  /** The largest page, in records, whatever the limit. */
  readonly cap: number;
  /** Whether answers come in an envelope when the query does not say. */
  readonly envelope: boolean;
  /** When the register last changed, as an HTTP date. */
  readonly changed: string;
}

/** Parameters that are no property. */
const parameters: Parameters = new Map([...reserved, ['country', codes], ['team', anything], ['q', anything]]);

/** Answers as the directory interface asks for it (interfaces.md, sections 1 and 4.1), but for regions and JSONP. */
export function exemplary(manners: Manners): Habit {
  return (teams) => {
    const properties = propertiesOf(teams);
    const isFilter = (name: string): boolean => properties.has(name) && name !== 'last-modified';
    const accepted = (name: string): RegExp | undefined =>
      parameters.get(name) ?? (isFilter(name) ? anything : undefined);
    return onTeams((asked) => {
      const query = given(asked);
      const fault = faultIn(query, accepted, properties);
      if (fault !== undefined) return refusal(400, 'Bad Request', fault);
      const matched = teams.filter((team) => meets(team, query));
      return page(ordered(matched, query.get('sort') ?? 'short-team-name', properties), query, manners);
    });
  };
}

/** Knows limit and offset, no other parameter, and no total: `length` counts the page, as API versions before 1 did. */
export const sloppy: Habit = (teams) =>
  onTeams((query) => {
    const number = (name: string, otherwise: number): number =>
      /^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : otherwise;
    const offset = number('offset', 0);
    const data = teams.slice(offset, offset + number('limit', 50));
    return { status: 200, headers: {}, body: JSON.stringify({ status: 200, length: data.length, data }) };
  });

function onTeams(answer: (query: URLSearchParams) => Answer): Face {
  return (path, query) => (path === '/teams' ? answer(query) : refusal(404, 'Not Found', 'there are only teams here'));
}

function refusal(code: number, status: string, message: string): Answer {
  return refused(code, { status, status_code: code, version: '1.0', message });
}

function page(matched: readonly Kept[], query: URLSearchParams, { cap, envelope, changed }: Manners): Answer {
  const total = matched.length;
  const data = cut(matched, query, cap);
  const head = { status: 'OK', status_code: 200, version: '1.0', total, 'last-modified': changed };
  const document = isTrue(query.get('envelope'), envelope) ? { ...head, ...pageOf(query, cap), data } : data;
  return written(document, query, {
    'X-Version': '1.0',
    'X-Total-Count': String(total),
    'Last-Modified': changed,
  });
}
