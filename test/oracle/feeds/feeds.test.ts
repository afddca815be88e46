import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { expectedItems } from '../model/feeds.js';
import { allRecords, expectedList } from '../model/expected-list.js';
import type { OracleQuery } from '../model/expected-list.js';
import { CHANNELS, NEWS } from '../model/oracle-resources.js';
import { fold } from '../model/text.js';
import { buildQuery, queryDraft, requestTarget, resourceOfDraft } from '../random-query.js';
import { randomFeedSources } from '../random-sources.js';
import type { GeneratedSource } from '../random-sources.js';
import { LENIENT, completeRecords, withGateway } from '../start-sources.js';
import { learnIds } from './learn-ids.js';

/** The records as text, so that the order of their properties is compared too. */
const written = (records: readonly object[]): string[] => records.map((record) => JSON.stringify(record));

const draft = fc.record({ draft: queryDraft, isOfChannels: fc.boolean() }).map(({ draft: one, isOfChannels }) => ({
  ...one,
  resource: isOfChannels ? CHANNELS.name : NEWS.name,
}));

it('returns the news and channels that the oracle selects from the feeds of all sources, with the state of each', async () => {
  const property = fc.asyncProperty(
    randomFeedSources,
    fc.array(draft, { minLength: 4, maxLength: 10 }),
    (sources, drafts) =>
      withGateway(sources, async (gateway) => {
        const fleet = await learnIds(gateway, sources);
        for (const one of drafts) {
          const all = allRecords(resourceOfDraft(one), fleet);
          const query = buildQuery(one, { all, fleet });
          const response = await gateway.get(requestTarget(query), LENIENT);
          const { total, data } = expectedList(all, query);
          const { headers } = response;
          expect({
            target: requestTarget(query),
            total: headers.get('x-total-count'),
            data: written(completeRecords(response, { query, fleet })),
          }).toEqual({
            target: requestTarget(query),
            total: String(total),
            data: written(data),
          });
          expect(statesOf(headers)).toEqual(expectedStates(fleet, query));
        }
      }),
  );
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 10, long: 150 }) });
});

it('assigns ids that are the same after a restart, and unique among all sources', async () => {
  const property = fc.asyncProperty(randomFeedSources, async (sources) => {
    const [first, second] = [await learn(sources), await learn(sources)];
    expect(second).toEqual(first);
    const ids = first.flatMap(({ feedIds }) => [...(feedIds?.values() ?? [])].flat());
    expect(new Set(ids).size).toBe(ids.length);
  });
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 3, long: 30 }) });
});

async function learn(sources: readonly GeneratedSource[]): Promise<readonly GeneratedSource[]> {
  const learned: GeneratedSource[] = [];
  await withGateway(sources, async (gateway) => {
    learned.push(...(await learnIds(gateway, sources)));
  });
  return learned;
}

/** State and number of records of each source, by code. `completeRecords` checks which of them have unread values. */
function statesOf(headers: Headers): object {
  const members = (headers.get('source-status') ?? '').split(', ');
  return Object.fromEntries(members.map((member) => [member.split(';')[0] ?? '', stateIn(member)] as const));
}

function stateIn(member: string): string {
  return member.replace(/^[^;]*;|;age=\d+$/g, '').replace('state=partial;reason=unreadable', 'state=fresh');
}

/** A source is complete with all records of the list or channel that is queried, unless `source-name` excludes it. */
function expectedStates(fleet: readonly GeneratedSource[], { resource, filters, channel }: OracleQuery): object {
  const wanted = filters.find(([property]) => property === 'source-name')?.[1].toLowerCase();
  const stateOf = ({ feeds, sourceName }: GeneratedSource): string => {
    if (feeds === undefined) return 'state=excluded;reason=resource';
    if (wanted !== undefined && sourceName.toLowerCase() !== wanted) return 'state=excluded;reason=source-name';
    const items = expectedItems(feeds).filter(
      ({ channels }) => channel === undefined || channels.map(fold).includes(fold(channel)),
    );
    return `state=fresh;records=${(resource === NEWS ? items : feeds).length}`;
  };
  return Object.fromEntries(fleet.map((source) => [source.code, stateOf(source)]));
}
