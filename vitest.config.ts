import { availableParallelism } from 'node:os';
import { createTestConfig } from './vitest.common.js';

/** Tests that need only Node.js. */
export default createTestConfig(10, {
  include: ['test/**/*.test.ts'],
  exclude: ['test/{interop,long}/**'],
  // Many tests wait for a loopback server or a real timer; two workers for each processor keep it busy.
  maxWorkers: 2 * availableParallelism(),
});
