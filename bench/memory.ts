import type { Gateway } from '../src/gateway/gateway.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import type { RecordSet } from '../src/records/record-set.js';
import { gatewayOver, heldSet, queryOf } from './held.js';
import { bytesHeld } from './measure.js';
import type { Figure } from './measure.js';
import { codeOf } from './pages.js';
import { recordsOf } from './records.js';

const RECORDS = 100_000;

/** The queries of a day: they fold the records' text and sort them. */
const DAY = ['q=bank', '', 'team=cert', 'country=BR', 'region=Asia', 'operating-hours=24x7', 'sort=-establishment'];

/** Every property as an order, and every one that can be as a filter: what is kept for them must stay within the bound too. */
const FLOOD = directoryTeams.properties.flatMap(({ name }) =>
  ['source-name', 'last-modified'].includes(name) ? [`sort=${name}`] : [`sort=-${name}`, `${name}=x`],
);

/** Memory that a set of 100,000 records holds (heap and typed arrays, after a collection), to the compact JSON of the records. */
export async function memory(): Promise<Figure[]> {
  const before = bytesHeld();
  const { set, bytes } = await held();
  const gateway = gatewayOver([set]);
  const figure = (name: string): Figure => ({
    name: `${name}, to its JSON`,
    value: (bytesHeld() - before) / bytes,
    unit: '×',
    bound: 3,
  });
  const figures = [figure('a set as drained')];
  await askAll(gateway, ['q=bank']);
  figures.push(figure('after a q: folded text included'));
  await askAll(gateway, DAY);
  figures.push(figure("after a day's queries"));
  await askAll(gateway, FLOOD);
  figures.push(figure('after every order and filter'));
  return figures;
}

/** The JSON is gone when this returns. */
async function held(): Promise<{ set: RecordSet; bytes: number }> {
  const json = JSON.stringify(recordsOf(codeOf(1), RECORDS));
  return { set: await heldSet(1, json), bytes: Buffer.byteLength(json) };
}

async function askAll(gateway: Gateway, queries: readonly string[]): Promise<void> {
  for (const query of queries) await gateway.answer(queryOf(query));
}
