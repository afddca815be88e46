import { afterEach, describe } from 'vitest';
import { ContractFixture } from './draining/contract-fixture.js';
import type { DialectFixture } from './draining/contract-fixture.js';
import { testBodyLimits } from './draining/body-limits.js';
import { testGatewayChains } from './draining/gateway-chains.js';
import { testCompleteReads } from './draining/complete-reads.js';
import { testInconsistentSources } from './draining/inconsistent-sources.js';
import { testFailures } from './draining/failures.js';
import { testFanOut } from './draining/fan-out.js';
import { testSnapshotReuse } from './draining/snapshot-reuse.js';
import { testRedirects } from './draining/redirects.js';
import { testRefresh } from './draining/refresh.js';
import { testRevalidation } from './draining/revalidation.js';

/** Runs the contract of draining for a dialect, on real loopback servers (decisions 5.5, 5.6, 5.7, 5.8, 6.14, 7.1, 7.4, 8.5). */
export function testDraining(dialect: DialectFixture): void {
  const fixture = new ContractFixture(dialect);
  afterEach(() => fixture.clear());
  describe(`draining ${dialect.name}`, () => {
    describe('of cooperative sources', () => testCompleteReads(fixture));
    describe('of inconsistent sources', () => testInconsistentSources(fixture));
    describe('of failing sources', () => testFailures(fixture));
    describe('within body limits', () => testBodyLimits(fixture));
    describe('through redirects', () => testRedirects(fixture));
    describe('with cached snapshots', () => testSnapshotReuse(fixture));
    describe('past the time to live', () => testRefresh(fixture));
    describe('with conditional requests', () => testRevalidation(fixture));
    describe('from several sources', () => testFanOut(fixture));
    describe('in a chain of gateways', () => testGatewayChains(fixture));
  });
}
