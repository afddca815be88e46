import type { JsonSchema, JsonValue } from '../model/schema/json-schema.js';

export interface OpenApiReference {
  readonly $ref: string;
}

export interface OpenApiExample {
  readonly summary: string;
  /** The request. */
  readonly description: string;
  readonly value: JsonValue;
}

export interface OpenApiMediaType {
  readonly schema?: JsonSchema;
  readonly examples?: Readonly<Record<string, OpenApiExample>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: true;
  /** A parameter without a value counts as absent (decisions 2.17). */
  readonly allowEmptyValue?: true;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: JsonSchema;
  readonly example?: JsonValue;
}

export interface OpenApiHeader {
  readonly description: string;
  readonly required?: true;
  readonly schema: JsonSchema;
  readonly example?: JsonValue;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader | OpenApiReference>>;
  readonly content?: Readonly<Record<string, OpenApiMediaType>>;
}

/** By the name of their scheme. */
type OpenApiSecurity = readonly Readonly<Record<string, readonly string[]>>[];

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (OpenApiParameter | OpenApiReference)[];
  readonly responses: Readonly<Record<string, OpenApiReference>>;
  readonly security?: OpenApiSecurity;
}

/** The parts of OpenAPI 3.1 that the description consists of (decisions 2.42). */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Empty: no operation needs credentials. Absent: each operation states its own. */
  readonly security?: readonly [];
  readonly paths: Readonly<Record<string, { readonly get: OpenApiOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
    readonly headers: Readonly<Record<string, OpenApiHeader>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes?: Readonly<
      Record<string, { readonly type: 'http'; readonly scheme: 'bearer'; readonly description: string }>
    >;
  };
  readonly externalDocs?: { readonly description: string; readonly url: string };
}
