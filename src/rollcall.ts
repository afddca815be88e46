#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { main } from './cli/main.js';

// V8 lets a heap grow to several times what is in use before it collects: memory would be bounded by that, and not by `cache.memory`. A quarter
// more is what keeps a flood of queries within its bound (bench/, "Flood"), at the same requests a second.
setFlagsFromString('--heap-growing-percent=25');

const code = await main(process.argv.slice(2));
// Ends it even when a listener is open already and the next one could not be opened.
if (code !== undefined) process.exit(code);
