import type { Problem } from '../model/error.js';
import type { Interface } from '../model/interface.js';
import type { Query } from '../model/query.js';
import { parseQuery } from '../query/parse.js';
import type { Form, ParsedQuery } from '../query/parse.js';
import { writeVia } from '../wire/via.js';
import type { RequestFacts } from './access-log.js';
import { askedFormat } from './asked.js';
import type { Asked } from './asked.js';
import { errorReply } from './errors.js';
import type { ErrorContext } from './errors.js';
import { canonical, sourceFacts } from './facts.js';
import { preferencesOf } from './preferences.js';
import { isGiven, refusalOf } from './refused.js';
import { restingHeaders, restingOf } from './resting.js';
import type { Reply } from './reply.js';
import type { ListOptions, ListRequest } from './serving.js';
import { shownReply } from './show.js';
import { toldOf } from './told.js';

/** Answers `GET` of a list, or of one item of it: parse, ask, show (interfaces.md, section 4). */
export async function listReply(options: ListOptions, request: ListRequest, facts: RequestFacts): Promise<Reply> {
  const { face, rules, clock } = options;
  const { resource } = rules.vocabulary;
  const written = parseQuery(request.query, rules);
  const asked = askedFormat({ ...request, callback: formOf(written).callback, resource });
  const parsed = fitting(written, asked);
  if (!('query' in parsed)) return refusal(face, parsed, asked);
  const { query } = parsed;
  const as: ErrorContext = { form: query, asked };
  if (asked.refused) return errorReply(face, asked.refused, as);
  const preferences = preferencesOf(request.prefer);
  facts['query'] = canonical(query);
  const { changes } = options.pulse;
  const answer = await options.answer(query, request.item, preferences);
  if (answer === undefined) return errorReply(face, NO_ITEM, { ...as, headers: preferences.headers });
  const { outcomes, waited } = answer;
  const told = toldOf(answer);
  facts.sources = outcomes.every(({ milliseconds }) => milliseconds === 0) ? told.facts : sourceFacts(outcomes);
  facts.cache = waited?.why ?? 'hit';
  const resting = restingOf(answer, told);
  const { headers } = restingHeaders(resting, clock.now());
  const shared = { Via: writeVia(new Set([...told.via, options.name])), ...preferences.headers, ...headers };
  if (!isGiven(answer, preferences)) {
    return errorReply(face, refusalOf(outcomes), { ...as, headers: shared, sources: told.lacking });
  }
  if (request.item !== undefined && answer.list.total === 0) {
    return errorReply(face, NO_ITEM, { ...as, headers: shared });
  }
  return shownReply(answer, { options, request, query, asked, shared, resting, told, changes });
}

const NO_ITEM: Problem = { kind: 'not-found', message: 'there is no item with this id' };

function formOf(parsed: ParsedQuery): Form {
  return 'query' in parsed ? parsed.query : parsed.form;
}

/** A callback that the format cannot take is a fault like any other (decisions.md, section 2: JSON only). */
function fitting(parsed: ParsedQuery, { format }: Asked): ParsedQuery {
  const form = formOf(parsed);
  if (form.callback === undefined || format.name === 'json') return parsed;
  const fault = { parameter: 'callback', message: `is for JSON only, and ${format.name} is asked for` };
  return { errors: 'errors' in parsed ? [...parsed.errors, fault] : [fault], form };
}

function refusal(face: Interface, parsed: Exclude<ParsedQuery, { readonly query: Query }>, asked: Asked): Reply {
  const { form } = parsed;
  if ('needs' in parsed) {
    const message = `the scope ${parsed.needs} needs credentials`;
    const headers = { 'WWW-Authenticate': 'Bearer' };
    return errorReply(face, { kind: 'unauthorized', message }, { form, asked, headers });
  }
  const message = parsed.errors.map((error) => `${error.parameter} ${error.message}`).join('; ');
  return errorReply(face, { kind: 'bad-request', message, errors: parsed.errors }, { form, asked });
}
