import { afterEach, describe } from 'vitest';
import { Bench } from './draining/bench.js';
import type { Dialect } from './draining/bench.js';
import { boundsBodies } from './draining/bounds.js';
import { chains } from './draining/chain.js';
import { readsEverything } from './draining/complete.js';
import { tellsDoubts } from './draining/doubts.js';
import { tellsFailures } from './draining/failures.js';
import { federates } from './draining/fleet.js';
import { holdsCopies } from './draining/holding.js';
import { followsRedirects } from './draining/redirects.js';
import { refreshesCopies } from './draining/refreshing.js';
import { verifiesCopies } from './draining/verifying.js';

/** Runs the contract of draining for a dialect, on real loopback servers (decisions.md, sections 5, 6 and 8). */
export function dialectContract(dialect: Dialect): void {
  const bench = new Bench(dialect);
  afterEach(() => bench.clear());
  describe(`the ${dialect.name} dialect`, () => {
    describe('reads everything', () => readsEverything(bench));
    describe('tells a doubt', () => tellsDoubts(bench));
    describe('makes one word of a failure', () => tellsFailures(bench));
    describe('bounds what it reads', () => boundsBodies(bench));
    describe('follows redirects', () => followsRedirects(bench));
    describe('holds what it drained', () => holdsCopies(bench));
    describe('answers past the time to live', () => refreshesCopies(bench));
    describe('has its copies verified', () => verifiesCopies(bench));
    describe('answers from several sources', () => federates(bench));
    describe('stands in a chain of gateways', () => chains(bench));
  });
}
