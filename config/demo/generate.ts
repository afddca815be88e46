// Writes the data of the sample repositories to this folder: npx tsx config/demo/generate.ts
import { writeFileSync } from 'node:fs';
import { demoFiles } from './generator/demo-files.js';

for (const [name, text] of demoFiles()) writeFileSync(new URL(name, import.meta.url), text);
