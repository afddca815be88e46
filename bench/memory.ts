import { directoryTeams } from '../src/model/resources/directory-teams.js';
import type { Gateway } from '../src/gateway/gateway.js';
import type { Resource } from '../src/model/resource.js';
import { gatewayOf } from './channels.js';
import { gatewayOver, heldSet, queryOf, requireTotal } from './held.js';
import { bytesHeld } from './measure.js';
import type { Figure } from './measure.js';
import { codeOf } from './pages.js';
import { listName, sourceOver } from './source.js';
import { subjects } from './subjects/all.js';
import { dataTeams } from './subjects/data-teams.js';
import { directory } from './subjects/directory.js';
import type { Subject } from './subjects/subject.js';

const RECORDS = 100_000;

/** Memory that a set of 100,000 records holds (heap and typed arrays, after a collection), to the compact JSON of the records. */
export async function memory(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const subject of subjects) figures.push(...(await memoryOf(subject)));
  return [...figures, ...(await onBothInterfaces())];
}

/** A gateway, and the bytes of the JSON that its records came in. */
interface Held {
  readonly gateway: Gateway;
  readonly bytes: number;
}

async function memoryOf(subject: Subject): Promise<Figure[]> {
  const { title, resource, day, flood } = subject;
  const before = bytesHeld();
  const { gateway, bytes } = await held(subject);
  const figure = (name: string): Figure => figureOf(`${title}${name}`, before, bytes);
  const figures = [figure('a set as drained')];
  await askAll(gateway, resource, day.slice(0, 1));
  figures.push(figure('after a q: folded text included'));
  await askAll(gateway, resource, day);
  figures.push(figure("after a day's queries"));
  await askAll(gateway, resource, flood);
  figures.push(figure('after every order and filter'));
  return figures;
}

function figureOf(name: string, before: number, bytes: number): Figure {
  return { name: `${name}, to its JSON`, value: (bytesHeld() - before) / bytes, unit: '×', bound: 3 };
}

/** The JSON is gone when this returns. */
async function held(subject: Subject): Promise<Held> {
  const json = jsonOf(subject);
  return {
    gateway: gatewayOver([await heldSet(subject.resource, 1, json)]),
    bytes: Buffer.byteLength(json),
  };
}

function jsonOf({ recordsOf }: Subject): string {
  return JSON.stringify(recordsOf({ code: codeOf(1), count: RECORDS, from: 0 }));
}

/** Data teams that are asked for on the directory interface too are held in both forms. */
async function onBothInterfaces(): Promise<Figure[]> {
  const before = bytesHeld();
  const { gateway, bytes } = await heldBySource();
  const figure = (name: string): Figure => figureOf(`data teams: ${name}`, before, bytes);
  await askAll(gateway, directoryTeams, ['']);
  const figures = [figure('shown on the directory interface')];
  await askAll(gateway, dataTeams.resource, dataTeams.day);
  await askAll(gateway, directoryTeams, directory.day);
  return [...figures, figure("after a day's queries on both interfaces")];
}

async function heldBySource(): Promise<Held> {
  const json = jsonOf(dataTeams);
  const gateway = gatewayOf([sourceOver(1, new Map([[listName('teams'), json]]))]);
  await requireTotal(gateway, { ...queryOf(dataTeams.resource, ''), limit: 0 }, RECORDS);
  return { gateway, bytes: Buffer.byteLength(json) };
}

async function askAll(gateway: Gateway, resource: Resource, queries: readonly string[]): Promise<void> {
  for (const query of queries) await gateway.answer(queryOf(resource, query));
}
