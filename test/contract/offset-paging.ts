import { afterEach, describe } from 'vitest';
import { ContractFixture } from './conformance/contract-fixture.js';
import { testEnvelopes } from './offset-paging/envelopes.js';
import { testGatewayChains } from './offset-paging/gateway-chains.js';
import { testInconsistentSources } from './offset-paging/inconsistent-sources.js';
import type { OffsetDialectFixture } from './offset-paging/offset-fixture.js';
import { testPagingBehaviours } from './offset-paging/paging-behaviours.js';
import { testPageRevalidation } from './offset-paging/page-revalidation.js';

/**
 * What holds for sources that are paged by `limit` and `offset` in addition to `testConformance`: totals, pages that are cut otherwise
 * than requested, and envelopes (decisions 5.5 to 5.7, 6.14, 7.4).
 */
export function testOffsetPaging(dialect: OffsetDialectFixture): void {
  const fixture = new ContractFixture<OffsetDialectFixture>(dialect);
  afterEach(() => fixture.clear());
  describe(`offset paging of ${dialect.name}`, () => {
    describe('of cooperative sources', () => testPagingBehaviours(fixture));
    describe('of inconsistent sources', () => testInconsistentSources(fixture));
    describe('with envelopes', () => testEnvelopes(fixture));
    describe('with conditional requests', () => testPageRevalidation(fixture));
    describe('in a chain of gateways', () => testGatewayChains(fixture));
  });
}
