import { writeFile } from 'node:fs/promises';
import { BUILD_FILE, computeBuildId } from './version.js';

/** Part of `npm run build`, so that the built program need not have its sources. */
await writeFile(BUILD_FILE, await computeBuildId());
