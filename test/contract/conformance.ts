import { afterEach, describe } from 'vitest';
import { testCompleteReads } from './conformance/complete-reads.js';
import { testFailures } from './conformance/failures.js';
import { testRefreshes } from './conformance/refreshes.js';
import { testSeveralResponses } from './conformance/several-responses.js';
import { ContractFixture } from './contract-fixture.js';
import type { DialectFixture } from './contract-fixture.js';

/**
 * What each kind of source proves for itself, over HTTP: a list is read completely or not at all, and a failure is
 * reported. What is the same for all kinds is tested once, with directories: `client-stack.test.ts`, `fan-out.test.ts`,
 * `list-cache/` and `page-walk/`.
 */
export function testConformance(dialect: DialectFixture): void {
  const fixture = new ContractFixture(dialect);
  afterEach(() => fixture.clear());
  describe(`a source of ${dialect.name}`, () => {
    describe('that works', () => testCompleteReads(fixture));
    describe('that fails', () => testFailures(fixture));
    describe('that is read again', () => testRefreshes(fixture));
    if (dialect.lastPart > 0) describe('in several responses, which', () => testSeveralResponses(fixture));
  });
}
