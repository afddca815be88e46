#!/usr/bin/env node
import { limitHeapGrowth } from './runtime/heap-growth-limit.js';

limitHeapGrowth();
const { main } = await import('./cli/main.js');
const code = await main(process.argv.slice(2));
// Ends the process also where one listener is open and the next one could not be opened.
if (code !== undefined) process.exit(code);
