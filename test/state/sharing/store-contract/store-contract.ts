import { testLeases } from './leases.js';
import { testPublications } from './publications.js';
import { testRecordsAndHints } from './records-and-hints.js';
import type { SharedStoreFixture } from './store-fixture.js';
import { testSynchronization } from './synchronization.js';

/** Tests what every memory that instances share must do (operation 2.5.4). */
export function testSharedStore(fixture: SharedStoreFixture): void {
  testSynchronization(fixture);
  testLeases(fixture);
  testPublications(fixture);
  testRecordsAndHints(fixture);
}
