import type { ServedResource } from '../http/operations/served-resource.js';
import { requestFields, responseFields } from '../http/representation/response-fields.js';
import type { ResponseField } from '../http/representation/response-fields.js';
import type { ApiInterface } from '../model/api-interface.js';
import type { ErrorKind } from '../model/error-catalogue.js';
import { TEXT_SCHEMA } from '../model/schema/json-schema.js';
import type { JsonSchema } from '../model/schema/json-schema.js';
import { createErrorSchema } from '../render/envelope.js';
import { describeOperation } from './described-operation.js';
import type { DescribedOperation, DescribedParameter } from './described-operation.js';
import {
  createReference,
  describeError,
  describeNotModified,
  describeSuccess,
  listErrors,
} from './describe-responses.js';
import type { DescribedAccess, OperationVariant } from './describe-responses.js';
import type {
  OpenApiDocument,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from './openapi-document.js';
import { formatIntroduction } from './api-introduction.js';
import { createRecordSchemas } from './record-schema.js';

/** What the description is built from: the tables by which requests are parsed, and the configuration. */
export interface DescriptionOptions extends DescribedAccess {
  readonly servedResources: readonly ServedResource[];
  /** Version of this program. */
  readonly version: string;
  /** Start of public URLs; empty where none is configured. */
  readonly publicUrl: string;
  /** Path of the reference for people; undefined where there is none. */
  readonly docsPath: string | undefined;
}

const INTERFACE_DESCRIPTIONS: Readonly<Record<ApiInterface['name'], string>> = {
  directory: 'The directory interface: teams, and searches of them.',
  data: 'The data interface: teams and searches of them, news, channels and countries.',
};

/** Builds the description of everything that the two interfaces serve, in OpenAPI 3.1 (decisions 2.42). */
export function createOpenApiDocument(options: DescriptionOptions): OpenApiDocument {
  const { servedResources, version, publicUrl, docsPath } = options;
  const operations = servedResources.map(describeOperation);
  const paths = operations.flatMap((operation) => [
    [operation.path, { get: createOperation(operation, options) }] as const,
    [`${operation.path}.{extension}`, { get: createOperation(operation, options, 'InFormat') }] as const,
  ]);
  return {
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
  };
}

function listInterfaces(operations: readonly DescribedOperation[]): readonly ApiInterface[] {
  return [...new Set(operations.map(({ served }) => served.options.servedInterface))];
}

/** `variant`: the same operation with an extension in its path. */
function createOperation(
  operation: DescribedOperation,
  access: DescribedAccess,
  variant: OperationVariant = '',
): OpenApiOperation {
  const { served } = operation;
  const { operationId, summary, description } = served.description;
  const { name } = served.options.servedInterface;
  const errors = [...listErrors(operation, access, variant)];
  return {
    operationId: `${operationId}${variant}`,
    tags: [name],
    summary: variant === '' ? summary : `${summary} in the format of an extension`,
    description,
    parameters: listParameterNames(operation, variant).map((parameter) => createReference('parameters', parameter)),
    responses: {
      '200': createReference('responses', operationId),
      '304': createReference('responses', NOT_MODIFIED),
      ...Object.fromEntries(
        errors.map(([status, kinds]) => [status, createReference('responses', formatErrorName(operation, kinds))]),
      ),
    },
    ...(access.acceptsCredentials && { security: [{}, { bearer: [] }] }),
  };
}

const NOT_MODIFIED = 'not-modified';

/** Names of the components that are the parameters of an operation. */
function listParameterNames(operation: DescribedOperation, variant: OperationVariant): readonly string[] {
  return Object.keys(createOperationParameters(operation)).filter((name) =>
    variant === '' ? !name.endsWith('.extension') : !name.endsWith('.callback'),
  );
}

function createParameters(operations: readonly DescribedOperation[]): Readonly<Record<string, OpenApiParameter>> {
  return Object.assign({}, ...operations.map(createOperationParameters)) as Readonly<Record<string, OpenApiParameter>>;
}

/** Request fields that OpenAPI describes otherwise: as security, not as parameters. */
const CREDENTIALS_FIELD = 'Authorization';

/** The parameters of an operation by the names of their components. */
function createOperationParameters(operation: DescribedOperation): Readonly<Record<string, OpenApiParameter>> {
  const { served, itemId, parameters, ownPropertyPattern, formats } = operation;
  const { operationId } = served.description;
  const extensions = formats.flatMap((format) => format.extensions.map((extension) => extension.slice(1)));
  const inPath: readonly OpenApiParameter[] = [
    ...(itemId === undefined ? [] : [{ ...itemId, in: 'path', required: true } as const]),
    {
      name: 'extension',
      in: 'path',
      required: true,
      description: 'Format of the response.',
      schema: { type: 'string', enum: extensions },
      example: extensions[0] ?? '',
    },
  ];
  const own = inPath.concat(parameters.map(createQueryParameter));
  const fields = requestFields
    .filter(({ name }) => name !== CREDENTIALS_FIELD)
    .map(({ name, description, example }): [string, OpenApiParameter] => [
      name,
      { name, in: 'header', description, schema: TEXT_SCHEMA, example },
    ]);
  return {
    ...Object.fromEntries(own.map((parameter) => [`${operationId}.${parameter.name}`, parameter])),
    ...(ownPropertyPattern !== undefined && {
      [`${operationId}.${OWN_PROPERTIES}`]: createOwnPropertyParameter(ownPropertyPattern),
    }),
    ...Object.fromEntries(fields),
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

/** An error in JSONP is a 200, so that only a field that errors have too is required. */
function createHeader({ description, always, on, schema, example }: ResponseField): OpenApiHeader {
  const value = schema.type === 'integer' ? Number(example) : example;
  return { description, ...(always && on.includes('error') && { required: true }), schema, example: value };
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
    const { servedInterface } = operation.served.options;
    const variants = (['', 'InFormat'] as const).map((variant) => listErrors(operation, access, variant));
    const errors = variants
      .flatMap((byStatus) => [...byStatus.values()])
      .map((kinds): [string, OpenApiResponse] => [
        formatErrorName(operation, kinds),
        describeError(servedInterface, kinds, access),
      ]);
    return [[operation.served.description.operationId, describeSuccess(operation, access)] as const, ...errors];
  });
  return { [NOT_MODIFIED]: describeNotModified(access), ...Object.fromEntries(responses) };
}

/** Name of the component that is an error: equal errors of an interface share one. */
function formatErrorName({ served }: DescribedOperation, kinds: readonly ErrorKind[]): string {
  return [served.options.servedInterface.name, ...kinds].join('.');
}
