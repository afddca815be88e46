import type { Resource } from '../model/resource.js';
import type { Answered, Finding } from './finding.js';

/** The findings of a probe: one for each topic of a resource, the latest that says more than the one before. */
export class Ledger {
  private readonly entries = new Map<string, Finding>();

  /** Enters findings. What is proved stays, unless it is refuted; what was asked before stays, unless more is known now. */
  enter(resource: Resource, answered: readonly Answered[]): void {
    for (const one of answered) {
      const key = keyOf(resource, one.topic);
      const before = this.entries.get(key);
      if (before === undefined || saysMore(one, before)) this.entries.set(key, { resource: resource.name, ...one });
    }
  }

  /** Whether nothing that is asked now could change what was found. */
  isSettled(resource: Resource, topic: string): boolean {
    const verdict = this.entries.get(keyOf(resource, topic))?.verdict;
    return verdict === 'proved' || verdict === 'refuted' || verdict === 'noted';
  }

  /** In the order of resources, and in each as a reader looks for topics. */
  inOrder(resources: readonly Resource[]): readonly Finding[] {
    const all = [...this.entries.values()];
    return resources.flatMap(({ name }) =>
      all.filter(({ resource }) => resource === name).sort((a, b) => placeOf(a) - placeOf(b)),
    );
  }
}

function keyOf({ name }: Resource, topic: string): string {
  return `${name} ${topic}`;
}

function saysMore(now: Answered, before: Answered): boolean {
  if (before.verdict === 'refuted') return false;
  if (before.verdict === 'proved') return now.verdict === 'refuted';
  return before.verdict !== 'consistent' || now.verdict !== 'open';
}

/** Topics as a reader looks for them, by their first word. */
const TOPICS = ['first', 'records', 'paging', 'limit', 'total', 'sort', 'filter', 'search'];

function placeOf({ topic }: Finding): number {
  const at = TOPICS.indexOf(topic.split(' ', 1)[0] ?? '');
  return at < 0 ? TOPICS.length : at;
}
