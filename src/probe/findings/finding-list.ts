import type { SourceResource } from '../../model/resource.js';
import type { CheckResult, ProbeFinding } from './finding.js';

/**
 * Findings of a probe: one for each topic of a resource. A newer finding replaces an older one only if it is at least
 * as conclusive.
 */
export class FindingList {
  private readonly entries = new Map<string, ProbeFinding>();

  /**
   * Adds findings. A proved finding is replaced only by a refutation, a refuted one never, a consistent one not by an
   * open one.
   */
  add(resource: SourceResource, results: readonly CheckResult[]): void {
    for (const result of results) {
      const key = findingKey(resource, result.topic);
      const previous = this.entries.get(key);
      if (previous === undefined || supersedes(result, previous))
        this.entries.set(key, { resource: resource.name, ...result });
    }
  }

  /** Whether further checks of this topic are unnecessary. */
  isSettled(resource: SourceResource, topic: string): boolean {
    const verdict = this.entries.get(findingKey(resource, topic))?.verdict;
    return verdict === 'proved' || verdict === 'refuted' || verdict === 'noted';
  }

  /** Findings in the order of the resources, and for each resource in the order of `TOPIC_ORDER`. */
  sortedByTopic(resources: readonly SourceResource[]): readonly ProbeFinding[] {
    const all = [...this.entries.values()];
    return resources.flatMap(({ name }) =>
      all.filter(({ resource }) => resource === name).sort((a, b) => topicRank(a) - topicRank(b)),
    );
  }
}

function findingKey({ name }: SourceResource, topic: string): string {
  return `${name} ${topic}`;
}

function supersedes(next: CheckResult, previous: CheckResult): boolean {
  if (previous.verdict === 'refuted') return false;
  if (previous.verdict === 'proved') return next.verdict === 'refuted';
  return previous.verdict !== 'consistent' || next.verdict !== 'open';
}

/** First words of topics, in the order of the report. */
const TOPIC_ORDER = ['first', 'records', 'paging', 'limit', 'total', 'sort', 'filter', 'search'];

function topicRank({ topic }: ProbeFinding): number {
  const at = TOPIC_ORDER.indexOf(topic.split(' ', 1)[0] ?? '');
  return at < 0 ? TOPIC_ORDER.length : at;
}
