import { vendors } from '../authorities.js';
import { httpDate } from '../calendar.js';
import { countries } from '../countries.js';
import type { SeededRandom } from '../seeded-random.js';
import { createSeededRandom } from '../seeded-random.js';
import { kinds, label, organisation } from '../languages.js';
import type { Stored } from '../record.js';
import { inOrder } from '../record.js';
import { jointNews, notices, topics, weaknesses } from './news-stories.js';
import type { Repository } from '../team.js';

/** A series of items of one channel: patterns with `{facts}` to fill in. */
export interface Desk {
  /** Title of its channel. */
  readonly channel: string;
  /** Path of its items on the source's site. */
  readonly path: string;
  readonly titles: readonly string[];
  readonly sentences: readonly string[];
}

/** A source of news. */
export interface Publisher {
  readonly repository: Repository;
  /** Number of items. */
  readonly count: number;
  readonly desks: readonly Desk[];
  /** A link to the item at a path: absolute, relative, or on another site. */
  readonly link: (path: string, dice: SeededRandom) => string;
  /** The value of a missing summary: an empty text, or undefined. */
  readonly noSummary: '' | undefined;
}

interface Item {
  /** ISO 8601. */
  readonly at: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

type Facts = Readonly<Record<string, string>>;

const months = 36;

/**
 * The news of a source in detail form from October 2023 to September 2026, oldest first, and numbered in that order.
 */
export function newsOf(publisher: Publisher): readonly Stored[] {
  const { repository, count } = publisher;
  const joint = jointNews.filter(({ sources }) => sources.includes(repository));
  const own = Array.from({ length: count - joint.length }, (_, at) => at);
  const moments = own.map((at) => moment(repository, at, Math.floor((at * months) / own.length)));
  const items = own.map((at) => item(publisher, at, moments[sharesMoment(publisher, at) ? at - 1 : at] ?? ''));
  const sorted = [...items, ...joint.map((story) => jointItem(publisher, story))].sort((a, b) => order(a.at, b.at));
  const names = ['id', 'title', 'summary', 'link', 'published', 'content', 'channels'];
  return sorted.map(({ at, properties }, n) => inOrder(names, { ...properties, id: n + 1, published: httpDate(at) }));
}

function order(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** A random second between 07:00 and 19:00 in a month, counted from October 2023. */
function moment(repository: Repository, at: number, month: number): string {
  const dice = createSeededRandom(`${repository} news ${at}`);
  const date = [2023 + Math.floor((month + 9) / 12), 1 + ((month + 9) % 12), 1 + dice.below(28)];
  const time = [7 + dice.below(12), dice.below(60), dice.below(60)].map(two);
  return `${date.map(two).join('-')}T${time.join(':')}+00:00`;
}

/** Whether an item has the same time as the one before it. */
function sharesMoment({ repository }: Publisher, at: number): boolean {
  return at > 0 && createSeededRandom(`${repository} moment ${at}`).chance(8);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function item(publisher: Publisher, serial: number, at: string): Item {
  const { repository, desks } = publisher;
  const dice = createSeededRandom(`${repository} item ${serial}`);
  const facts = factsOf(dice, serial + 1, at.slice(0, 4));
  const desk = dice.pick(desks);
  const title = dice.chance(9) ? dice.pick(notices(dice)) : fill(dice.pick(desk.titles), facts);
  const link = publisher.link(`${desk.path}/${serial + 1}-${label(title).slice(0, 32)}`.replace(/-$/, ''), dice);
  const [lead = '', ...rest] = [0, 1, 2].map((n) =>
    fill(desk.sentences[(serial + n) % desk.sentences.length] ?? '', facts),
  );
  const also = dice.chance(15) ? dice.pick(desks).channel : desk.channel;
  const properties = {
    title,
    summary: dice.chance(78) ? lead : publisher.noSummary,
    link,
    content: html(lead, rest, link),
    channels: [...new Set([desk.channel, also])],
  };
  return { at, properties };
}

function factsOf(dice: SeededRandom, serial: number, year: string): Facts {
  const [vendor, products] = dice.pick(vendors);
  const country = dice.pick(countries);
  const place = dice.pick(country.places).latin;
  return {
    serial: String(serial),
    year,
    vendor,
    products,
    country: country.name,
    place,
    organisation: organisation(dice.pick(kinds), 'en', place),
    weakness: dice.pick(weaknesses),
    topic: dice.pick(topics),
  };
}

function fill(pattern: string, facts: Facts): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole);
}

/** Items that two or three sources publish at the same second under the same title. */
function jointItem(publisher: Publisher, { title, summary, at }: (typeof jointNews)[number]): Item {
  const { repository, desks } = publisher;
  const dice = createSeededRandom(`${repository} ${title}`);
  const desk = dice.pick(desks);
  const link = publisher.link(`${desk.path}/${label(title)}`, dice);
  const content = html(summary, ['Everybody is invited.'], link);
  return { at, properties: { title, summary, link, content, channels: [desk.channel] } };
}

function html(lead: string, rest: readonly string[], link: string): string {
  const items = rest.map((sentence) => `<li>${escaped(sentence)}</li>`).join('');
  return `<p class="lead">${escaped(lead)}</p>\n<ul>${items}</ul>\n<p><a href="${escaped(link)}">Read on&nbsp;…</a></p>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
