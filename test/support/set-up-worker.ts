// Vitest runs this file again for each file of tests, but the modules once for each process.
import './random-seed.js';
import './source-maps.js';
