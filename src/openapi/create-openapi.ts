import type { ServedResource } from '../http/operations/served-resource.js';
import { requestFields, responseFields } from '../http/representation/response-fields.js';
import type { ApiInterface } from '../model/api-interface.js';
import type { TeamScope } from '../model/query.js';
import { TEXT_SCHEMA } from '../model/schema/json-schema.js';
import type { JsonSchema } from '../model/schema/json-schema.js';
import { createErrorSchema } from '../render/envelope.js';
import { describeOperation, listVariants } from './described-operation.js';
import type { DescribedOperation, DescribedParameter, OperationVariant } from './described-operation.js';
import {
  createHeader,
  createReference,
  describeError,
  describeNotModified,
  describeSuccess,
  formatErrorName,
  listErrors,
} from './describe-responses.js';
import type { DescribedAccess } from './describe-responses.js';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './openapi-document.js';
import { formatIntroduction } from './api-introduction.js';
import { createRecordSchemas } from './record-schema.js';

/** The tables by which requests are parsed, and the configuration. */
export interface DescriptionOptions extends DescribedAccess {
  readonly servedResources: readonly ServedResource[];
  /** Of this program. */
  readonly version: string;
  /** The reference for people; undefined where there is none. */
  readonly docsPath: string | undefined;
}

const INTERFACE_DESCRIPTIONS: Readonly<Record<ApiInterface['name'], string>> = {
  directory: 'The directory interface: teams, and searches of them.',
  data: 'The data interface: teams and searches of them, news, channels and countries.',
};

/** Everything that the two interfaces serve, in OpenAPI 3.1 (decisions 2.42). */
export function createOpenApiDocument(options: DescriptionOptions): OpenApiDocument {
  const { servedResources, version, publicUrl, docsPath } = options;
  const operations = servedResources.map(describeOperation);
  const paths = operations.flatMap((operation) =>
    listVariants(operation.formats).map(
      (variant) =>
        [`${operation.path}${variant.suffix}`, { get: createOperation(operation, options, variant) }] as const,
    ),
  );
  return omitUnusedHeaders({
    openapi: '3.1.1',
    info: {
      title: 'Rollcall',
      version,
      summary: 'A federated gateway for the directories of incident response teams',
      description: formatIntroduction(),
    },
    servers: [{ url: publicUrl === '' ? '/' : publicUrl }],
    tags: listInterfaces(operations).map(({ name }) => ({ name, description: INTERFACE_DESCRIPTIONS[name] })),
    paths: Object.fromEntries(paths),
    // Without clients no operation needs credentials.
    ...(!options.acceptsCredentials && { security: [] }),
    components: {
      schemas: createSchemas(operations),
      parameters: createParameters(operations),
      headers: Object.fromEntries(responseFields.map((field) => [field.name, createHeader(field)])),
      responses: createResponses(operations, options),
      ...(options.acceptsCredentials && {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The key of a client, or a token of the issuer.' },
        },
      }),
    },
    ...(docsPath !== undefined && {
      externalDocs: { description: 'The same for people', url: `${publicUrl}${docsPath}` },
    }),
  });
}

/** Leaves out fields that no response has, such as those of rate limits where none is configured. */
function omitUnusedHeaders(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const used = new Set(Object.values(components.responses).flatMap(({ headers = {} }) => Object.keys(headers)));
  const headers = Object.entries(components.headers).filter(([name]) => used.has(name));
  return { ...document, components: { ...components, headers: Object.fromEntries(headers) } };
}

function listInterfaces(operations: readonly DescribedOperation[]): readonly ApiInterface[] {
  return [...new Set(operations.map(({ served }) => served.options.servedInterface))];
}

function createOperation(
  operation: DescribedOperation,
  access: DescribedAccess,
  variant: OperationVariant,
): OpenApiOperation {
  const { served } = operation;
  const { operationId, summary } = served.description;
  const { name } = served.options.servedInterface;
  const errors = [...listErrors(operation, access, variant.extensions.length > 0)];
  return {
    operationId: `${operationId}${variant.id}`,
    tags: [name],
    summary: `${summary}${variant.summary}`,
    description: operation.description,
    parameters: Object.keys(createOperationParameters(operation, variant)).map((parameter) =>
      createReference('parameters', parameter),
    ),
    responses: {
      '200': createReference('responses', `${operationId}${variant.id}`),
      '304': createReference('responses', NOT_MODIFIED),
      ...Object.fromEntries(
        errors.map(([status, kinds]) => [status, createReference('responses', formatErrorName(operation, kinds))]),
      ),
    },
    ...(access.acceptsCredentials && { security: [{}, { bearer: [] }] }),
  };
}

const NOT_MODIFIED = 'not-modified';

function createParameters(operations: readonly DescribedOperation[]): Readonly<Record<string, OpenApiParameter>> {
  const parameters = operations.flatMap((operation) =>
    listVariants(operation.formats).flatMap((variant) => Object.entries(createOperationParameters(operation, variant))),
  );
  return Object.fromEntries(parameters);
}

/** OpenAPI describes this field as security, not as a parameter. */
export const CREDENTIALS_FIELD = 'Authorization';

/** By the names of their components, which the forms of an operation share where they can. */
function createOperationParameters(
  operation: DescribedOperation,
  { id, hasCallback, extensions: [extension, ...others], scopes }: OperationVariant,
): Readonly<Record<string, OpenApiParameter>> {
  const { served, itemId, parameters, ownPropertyPattern } = operation;
  const { operationId } = served.description;
  const inPath: readonly OpenApiParameter[] = [
    ...(itemId === undefined ? [] : [{ ...itemId, in: 'path', required: true } as const]),
    ...(extension === undefined ? [] : [createExtensionParameter([extension, ...others])]),
  ];
  const inQuery = parameters.filter(({ name }) => hasCallback || name !== 'callback');
  const own = [...inPath, ...inQuery.map(createQueryParameter)].map((parameter): [string, OpenApiParameter] =>
    parameter.name === 'scope' && scopes.length > 0
      ? [`${operationId}${id}.scope`, createScopeParameter(parameter, scopes)]
      : [`${operationId}.${parameter.name}`, parameter],
  );
  const fields = requestFields
    .filter(({ name }) => name !== CREDENTIALS_FIELD)
    .map(({ name, description, example }): [string, OpenApiParameter] => [
      name,
      { name, in: 'header', description, schema: TEXT_SCHEMA, example },
    ]);
  return {
    ...Object.fromEntries(own),
    ...(ownPropertyPattern !== undefined && {
      [`${operationId}.${OWN_PROPERTIES}`]: createOwnPropertyParameter(ownPropertyPattern),
    }),
    ...Object.fromEntries(fields),
  };
}

function createExtensionParameter(extensions: readonly [string, ...string[]]): OpenApiParameter {
  return {
    name: 'extension',
    in: 'path',
    required: true,
    description: 'Format of the response.',
    schema: { type: 'string', enum: extensions },
    example: extensions[0],
  };
}

/** For a format that only these scopes have. */
function createScopeParameter({ name, description }: OpenApiParameter, scopes: readonly TeamScope[]): OpenApiParameter {
  return {
    name,
    in: 'query',
    required: true,
    description,
    schema: { type: 'string', enum: scopes },
    example: scopes[0] ?? '',
  };
}

/** Commas join the items of a list. */
function createQueryParameter({
  name,
  description,
  schema,
  example,
  isRequired,
}: DescribedParameter): OpenApiParameter {
  const isList = schema.type === 'array';
  return {
    name,
    in: 'query',
    description,
    ...(isRequired === true ? ({ required: true } as const) : ({ allowEmptyValue: true } as const)),
    ...(isList && { style: 'form', explode: false }),
    schema,
    example,
  };
}

const OWN_PROPERTIES = 'own-properties';

/** Filters on properties that only one source has: each property of the object is a parameter of its own. */
function createOwnPropertyParameter(pattern: string): OpenApiParameter {
  return {
    name: OWN_PROPERTIES,
    in: 'query',
    description:
      'Records with exactly these values of properties that only one source has, such as `-<code>-member-type`.',
    style: 'form',
    explode: true,
    schema: { type: 'object', patternProperties: { [pattern]: TEXT_SCHEMA }, additionalProperties: false },
  };
}

function createSchemas(operations: readonly DescribedOperation[]): Readonly<Record<string, JsonSchema>> {
  const records = operations.flatMap(({ served }) =>
    Object.entries(createRecordSchemas(served.operation, served.options.rules.vocabulary.resource)),
  );
  const errors = listInterfaces(operations).map((one) => [`${one.name}-error`, createErrorSchema(one)] as const);
  return Object.fromEntries([...records, ...errors]);
}

function createResponses(
  operations: readonly DescribedOperation[],
  access: DescribedAccess,
): Readonly<Record<string, OpenApiResponse>> {
  const responses = operations.flatMap((operation) => {
    const variants = [false, true].map((hasExtension) => listErrors(operation, access, hasExtension));
    const errors = variants
      .flatMap((byStatus) => [...byStatus.values()])
      .map((kinds): [string, OpenApiResponse] => [
        formatErrorName(operation, kinds),
        describeError(operation, kinds, access),
      ]);
    const { operationId } = operation.served.description;
    const successes = listVariants(operation.formats).map((variant): [string, OpenApiResponse] => [
      `${operationId}${variant.id}`,
      describeSuccess(operation, access, variant),
    ]);
    return [...successes, ...errors];
  });
  return { [NOT_MODIFIED]: describeNotModified(access), ...Object.fromEntries(responses) };
}
