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

/** Runs the contract of draining for a dialect, on real loopback servers (decisions.md, sections 5, 6 and 8). */
export function testDraining(dialect: DialectFixture): void {
  const bench = new ContractFixture(dialect);
  afterEach(() => bench.clear());
  describe(`the ${dialect.name} dialect`, () => {
    describe('reads everything', () => testCompleteReads(bench));
    describe('tells a doubt', () => testInconsistentSources(bench));
    describe('makes one word of a failure', () => testFailures(bench));
    describe('bounds what it reads', () => testBodyLimits(bench));
    describe('follows redirects', () => testRedirects(bench));
    describe('holds what it drained', () => testSnapshotReuse(bench));
    describe('answers past the time to live', () => testRefresh(bench));
    describe('has its copies verified', () => testRevalidation(bench));
    describe('answers from several sources', () => testFanOut(bench));
    describe('stands in a chain of gateways', () => testGatewayChains(bench));
  });
}
