// Writes the data of the sample repositories: npm run demo-data
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFiles } from './generator/demo-files.js';

for (const [name, text] of demoFiles()) writeFileSync(join('config/demo', name), text);
