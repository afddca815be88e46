/**
 * What a test over HTTP may use of the program besides a running gateway: what it passes to one, the parser of its
 * configuration, and the tables that clients and operators know from the documentation.
 */
export { systemClock } from '../../../src/model/clock.js';
export type { Clock } from '../../../src/model/clock.js';
export { logLevels } from '../../../src/model/log.js';
export type { Log } from '../../../src/model/log.js';
export type { BodyParser } from '../../../src/source/body/body-parser.js';
export type { KeyReader } from '../../../src/source/keys/key-reader.js';
export type { Transport } from '../../../src/source/client/http-client-types.js';
export { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
export type { ClosableTransport } from '../../../src/source/client/transport/http-transport.js';
export { loadExplorerAssets } from '../../../src/explorer/assets/explorer-assets.js';
export type { ExplorerAssets } from '../../../src/explorer/assets/explorer-assets.js';
export { parseConfig } from '../../../src/config/parse-config.js';
export type { Config } from '../../../src/config/config.js';
export { parseCountryCode } from '../../../src/region/country.js';
export { getCountryNames, recognizeCountry } from '../../../src/region/country-names.js';
export { findRegion } from '../../../src/region/region.js';
export { dataTeams } from '../../../src/model/resources/data-teams.js';
export { directoryTeams } from '../../../src/model/resources/directory-teams.js';
export type { Capability } from '../../../src/model/registration/capability.js';
