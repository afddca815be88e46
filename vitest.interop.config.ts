import { createTestConfig } from './vitest.common.js';

/** Tests with programs outside Node.js. A missing program is a failure (test/interop/programs.ts). */
export default createTestConfig(20, { include: ['test/interop/**/*.test.ts'], isolate: true });
