import { configFile } from '../config/schema/config-file.js';
import { toJsonSchema } from '../config/schema/setting-types.js';

/** Prints the JSON Schema of the configuration, for editors (operation 1.16). Returns the exit code. */
export function printSchema(): number {
  // The sources may all be in files of `sources.d` (operation 2.1.5), which have the same schema.
  const schema = { title: 'Configuration of Rollcall', ...toJsonSchema(configFile), required: [] };
  process.stdout.write(`${JSON.stringify(schema, undefined, 2)}\n`);
  return 0;
}
