import { writeFileSync } from 'node:fs';
import { WORLD_MAP_FILE } from './world-map-file.js';
import { createWorldMap } from './world-map.js';

/** Part of `npm run build`: computes the map, and writes it beside the other files of the pages. */
writeFileSync(new URL(`../client/${WORLD_MAP_FILE}`, import.meta.url), JSON.stringify(createWorldMap()));
