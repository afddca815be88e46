import { createTestConfig } from './vitest.common.js';

/** Tests with programs outside Node.js. A missing program is a failure (test/interop/programs.ts). */
export default createTestConfig(20, {
  include: ['test/interop/**/*.test.ts'],
  globalSetup: ['test/support/build-program.ts', 'test/interop/build-scripts.ts'],
  isolate: true,
});
