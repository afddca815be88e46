import type { Problem } from '../model/error.js';
import type { Query } from '../model/query.js';
import { firstOfEach, parseQuery } from '../query/parse.js';
import type { Form, ParsedQuery, QueryRules } from '../query/parse.js';
import { askedFormat } from './asked.js';
import type { Asked } from './asked.js';
import type { Target } from './target.js';

/** A request for a list as it is understood: its query, or what is wrong with it. */
export type Understood = { readonly asked: Asked } & (
  | { readonly query: Query }
  | { readonly problem: Problem; readonly form: Form; readonly headers?: Readonly<Record<string, string>> }
);

/** Reads what a list is asked for (interfaces.md, section 4) from a path at which it is, a raw query string and the Accept field. */
export function understand(
  rules: QueryRules,
  { path, query, accept }: Target & { accept: string | undefined },
): Understood {
  const { resource } = rules.vocabulary;
  const written = parseQuery(query, rules);
  const asked = askedFormat({ path, accept, callback: formOf(written).callback, resource });
  const parsed = fitting(written, asked);
  if (!('query' in parsed)) return { asked, form: parsed.form, ...refusal(parsed) };
  return asked.refused ? { asked, form: parsed.query, problem: asked.refused } : { asked, query: parsed.query };
}

function formOf(parsed: ParsedQuery): Form {
  return 'query' in parsed ? parsed.query : parsed.form;
}

/** A callback that the format cannot take is a fault like any other (decisions.md, section 2: JSON only). */
function fitting(parsed: ParsedQuery, { format }: Asked): ParsedQuery {
  const form = formOf(parsed);
  if (form.callback === undefined || format.name === 'json') return parsed;
  const fault = { parameter: 'callback', message: `is for JSON only, and ${format.name} is asked for` };
  const [first, ...more] = 'errors' in parsed ? firstOfEach([...parsed.errors, fault]) : [fault];
  return { errors: [first ?? fault, ...more], form };
}

function refusal(parsed: Exclude<ParsedQuery, { readonly query: Query }>): {
  readonly problem: Problem;
  readonly headers?: Readonly<Record<string, string>>;
} {
  if ('needs' in parsed) {
    const message = `the scope ${parsed.needs} needs credentials`;
    return { problem: { kind: 'unauthorized', message }, headers: { 'WWW-Authenticate': 'Bearer' } };
  }
  const message = parsed.errors.map((error) => `${error.parameter} ${error.message}`).join('; ');
  return { problem: { kind: 'bad-request', message, errors: parsed.errors } };
}
