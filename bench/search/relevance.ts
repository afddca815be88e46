import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { startDemoRepositories } from '../../test/support/gateway/demo-repositories.js';
import type { Figure } from '../bounds.js';
import { openGateway, requestComplete } from '../harness/in-process-gateway.js';
import type { InProcessGateway } from '../harness/in-process-gateway.js';
import { ROOT } from '../harness/paths.js';
import { createKnownQueries } from './known-queries.js';
import type { KnownQuery } from './known-queries.js';
import { readRecords, searchTeams } from './search-client.js';
import type { SearchHit } from './search-client.js';

/** Hits among which the right one has to be. */
const FIRST_HITS = 5;

interface Answer {
  readonly query: KnownQuery;
  readonly hits: readonly SearchHit[];
  /** Position of the first right hit, from 0; -1 if there is none among the first hits. */
  readonly rank: number;
}

/** Share of the queries with known answers over the teams of the demo whose first hit is right, and that have a right one among the first five. */
export async function relevance(): Promise<Figure[]> {
  const answers = await answerQueries();
  printKinds(answers);
  answers.filter(({ rank }) => rank !== 0).forEach(printMiss);
  return [
    { name: 'known queries, first hit right', value: shareWithin(answers, 1), bound: 'first hit' },
    {
      name: `known queries, right among the first ${FIRST_HITS}`,
      value: shareWithin(answers, FIRST_HITS),
      bound: 'first hits',
    },
  ];
}

async function answerQueries(): Promise<readonly Answer[]> {
  const { config, samples } = await startDemoRepositories(ROOT);
  try {
    const gateway = await openGateway(config);
    try {
      await gateway.app.warmUp();
      const answers: Answer[] = [];
      for (const query of createKnownQueries(await readTeams(gateway))) {
        const hits = await searchTeams(gateway, query.q, FIRST_HITS);
        answers.push({ query, hits, rank: hits.findIndex(({ id }) => query.expected.includes(id)) });
      }
      return answers;
    } finally {
      await gateway.close();
    }
  } finally {
    await samples.close();
  }
}

async function readTeams(gateway: InProcessGateway): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const fields = ['-rollcall-id', ...directoryTeams.properties.map(({ name }) => name)].join();
  return readRecords(await requestComplete(`${gateway.address(directoryTeams)}?limit=10000&fields=${fields}`));
}

/** Share of the answers with a right hit among the first `count`. */
function shareWithin(answers: readonly Answer[], count: number): number {
  return answers.filter(({ rank }) => rank >= 0 && rank < count).length / answers.length;
}

function printKinds(answers: readonly Answer[]): void {
  for (const kind of new Set(answers.map(({ query }) => query.kind))) {
    const ofKind = answers.filter(({ query }) => query.kind === kind);
    const [first, among] = [1, FIRST_HITS].map((count) => Math.round(shareWithin(ofKind, count) * 100));
    console.log(`  ${kind.padEnd(20)} first ${first ?? 0} of 100, among the first ${FIRST_HITS} ${among ?? 0} of 100`);
  }
}

function printMiss({ query, hits, rank }: Answer): void {
  console.log(
    `  ${query.kind}: ${query.q}\n    expected ${query.expected.join(', ')}: ${rank < 0 ? 'none' : `hit ${rank + 1}`}`,
  );
  for (const { id, name, score } of hits) console.log(`    ${score.padStart(8)} ${id} (${name})`);
}
