import type { Resource } from '../../model/resource.js';
import type { CheckResult, ProbeFinding } from './finding.js';

/** The findings of a probe: one for each topic of a resource, the latest that says more than the one before. */
export class FindingList {
  private readonly entries = new Map<string, ProbeFinding>();

  /** Enters findings. What is proved stays, unless it is refuted; what was asked before stays, unless more is known now. */
  add(resource: Resource, answered: readonly CheckResult[]): void {
    for (const one of answered) {
      const key = findingKey(resource, one.topic);
      const before = this.entries.get(key);
      if (before === undefined || supersedes(one, before)) this.entries.set(key, { resource: resource.name, ...one });
    }
  }

  /** Whether nothing that is asked now could change what was found. */
  isSettled(resource: Resource, topic: string): boolean {
    const verdict = this.entries.get(findingKey(resource, topic))?.verdict;
    return verdict === 'proved' || verdict === 'refuted' || verdict === 'noted';
  }

  /** In the order of resources, and in each as a reader looks for topics. */
  sortedByTopic(resources: readonly Resource[]): readonly ProbeFinding[] {
    const all = [...this.entries.values()];
    return resources.flatMap(({ name }) =>
      all.filter(({ resource }) => resource === name).sort((a, b) => topicRank(a) - topicRank(b)),
    );
  }
}

function findingKey({ name }: Resource, topic: string): string {
  return `${name} ${topic}`;
}

function supersedes(now: CheckResult, before: CheckResult): boolean {
  if (before.verdict === 'refuted') return false;
  if (before.verdict === 'proved') return now.verdict === 'refuted';
  return before.verdict !== 'consistent' || now.verdict !== 'open';
}

/** Topics as a reader looks for them, by their first word. */
const TOPIC_ORDER = ['first', 'records', 'paging', 'limit', 'total', 'sort', 'filter', 'search'];

function topicRank({ topic }: ProbeFinding): number {
  const at = TOPIC_ORDER.indexOf(topic.split(' ', 1)[0] ?? '');
  return at < 0 ? TOPIC_ORDER.length : at;
}
