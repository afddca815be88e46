import { afterEach, describe } from 'vitest';
import { ContractFixture } from './conformance/contract-fixture.js';
import type { DialectFixture } from './conformance/contract-fixture.js';
import { testBodyLimits } from './conformance/body-limits.js';
import { testCompleteReads } from './conformance/complete-reads.js';
import { testChangingLists } from './conformance/changing-lists.js';
import { testFailures } from './conformance/failures.js';
import { testFanOut } from './conformance/fan-out.js';
import { testGatewayNames } from './conformance/gateway-names.js';
import { testRedirects } from './conformance/redirects.js';
import { testRefresh } from './conformance/refresh.js';
import { testRetries } from './conformance/retries.js';
import { testRevalidation } from './conformance/revalidation.js';
import { testShrinkGuard } from './conformance/shrink-guard.js';
import { testSnapshotReuse } from './conformance/snapshot-reuse.js';

/**
 * What holds for every kind of source, on real loopback servers (decisions 5.8, 6.3, 6.11, 6.12, 6.14, 7.1, 7.4, 8.5): a list is read
 * completely or not at all, and a failure is reported.
 */
export function testConformance(dialect: DialectFixture): void {
  const fixture = new ContractFixture(dialect);
  afterEach(() => fixture.clear());
  describe(`a source of ${dialect.name}`, () => {
    describe('that is cooperative', () => testCompleteReads(fixture));
    describe('that changes while it is read', () => testChangingLists(fixture));
    describe('that fails', () => testFailures(fixture));
    describe('that fails several times', () => testRetries(fixture));
    describe('within body limits', () => testBodyLimits(fixture));
    describe('through redirects', () => testRedirects(fixture));
    describe('with cached snapshots', () => testSnapshotReuse(fixture));
    describe('past the time to live', () => testRefresh(fixture));
    describe('with conditional requests', () => testRevalidation(fixture));
    describe('with far fewer records than before', () => testShrinkGuard(fixture));
    describe('beside another source', () => testFanOut(fixture));
    describe('in a chain of gateways', () => testGatewayNames(fixture));
  });
}
