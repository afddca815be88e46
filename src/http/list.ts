import type { Problem } from '../model/error.js';
import { joinHops, writeVia } from '../wire/via.js';
import type { RequestFacts } from './access-log.js';
import { errorReply } from './errors.js';
import type { ErrorContext } from './errors.js';
import { canonical, sourceFacts } from './facts.js';
import { preferencesOf } from './preferences.js';
import { isGiven, refusalFacts, refusalOf } from './refused.js';
import { restingHeaders, restingOf } from './resting.js';
import type { Reply } from './reply.js';
import type { ListOptions, ListRequest } from './serving.js';
import { shownReply } from './show.js';
import { understand } from './understand.js';

/** Answers `GET` of a list, or of one item of it: parse, ask, show (interfaces.md, section 4). */
export async function listReply(options: ListOptions, request: ListRequest, facts: RequestFacts): Promise<Reply> {
  const { face, rules, clock } = options;
  const understood = understand(rules, request);
  const { asked } = understood;
  if ('problem' in understood) return errorReply(face, understood.problem, understood);
  const { query } = understood;
  const as: ErrorContext = { form: query, asked };
  const preferences = preferencesOf(request.prefer);
  facts['query'] = canonical(query, request.item);
  const { changes } = options.pulse;
  const manner = { private: preferences.private, relayed: request.relayed, ahead: !preferences.private };
  const answer = await options.answer(query, request.item, manner);
  if (answer === undefined) return errorReply(face, NO_ITEM, { ...as, headers: preferences.headers });
  const { outcomes, waited, report } = answer;
  facts.sources = outcomes.every(({ milliseconds }) => milliseconds === 0) ? report.facts : sourceFacts(outcomes);
  facts.cache = waited?.why ?? 'hit';
  const resting = restingOf(answer);
  const { headers } = restingHeaders(resting, clock.now());
  const shared = { Via: writeVia(joinHops(report.via, options.name)), ...preferences.headers, ...headers };
  if (!isGiven(answer, preferences, request.item)) {
    const problem = refusalOf(outcomes, refusalFacts(answer, preferences));
    return errorReply(face, problem, { ...as, headers: shared, sources: report.lacking });
  }
  if (request.item !== undefined && answer.list.total === 0) {
    return errorReply(face, NO_ITEM, { ...as, headers: shared });
  }
  return shownReply(answer, { options, request, query, asked, shared, resting, changes });
}

/** That the path names an item which is not there. */
export const NO_ITEM: Problem = { kind: 'not-found', message: 'there is no item with this id' };
