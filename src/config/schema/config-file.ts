import { type Output, mapping, section, setting } from './setting-types.js';
import { access, admin, cache, server } from './server.js';
import { defaults, sources } from './source.js';
import { port } from './values.js';

/** The only list of the settings (operation 2), with their defaults, descriptions, secrets and effects. */
export const configFile = section({
  server,
  admin,
  cache,
  access,
  /** (operation 2.9) */
  samples: mapping(setting(port, 'loopback port of the sample repository of that name'), 'names to ports'),
  defaults,
  sources,
});

/** Defaults are applied, but for those of a source. Durations are in milliseconds, sizes in bytes. */
export type ConfigFile = Output<typeof configFile>;

export type RegisteredSource = ConfigFile['sources'][string];
