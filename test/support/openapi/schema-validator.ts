import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** Validates values by schemas of a description in OpenAPI. */
export interface SchemaValidator {
  /** Errors of a value by the schema at a JSON pointer; empty where it conforms. */
  readonly findErrors: (pointer: string, value: unknown) => readonly string[];
}

/** Creates a validator of JSON Schema 2020-12 for the schemas of an OpenAPI document. */
export function createSchemaValidator(document: unknown): SchemaValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...(document as object) });
  const compiled = new Map<string, ValidateFunction>();
  return {
    findErrors: (pointer, value) => {
      const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
      compiled.set(pointer, validate);
      return validate(value)
        ? []
        : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
    },
  };
}
