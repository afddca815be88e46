import { configFile } from '../config/schema/config-file.js';
import { toJsonSchema } from '../config/schema/setting-types.js';

/** Prints the JSON Schema of the configuration, for editors (operation 1.16). Returns the exit code. */
export function printSchema(): number {
  const schema = { title: 'Configuration of Rollcall', ...toJsonSchema(configFile) };
  process.stdout.write(`${JSON.stringify(schema, undefined, 2)}\n`);
  return 0;
}
