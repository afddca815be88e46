import { CREDENTIALS_FIELD } from '../../openapi/create-openapi.js';
import type { DescriptionOptions } from '../../openapi/create-openapi.js';
import { describeEnvelope, listErrors } from '../../openapi/describe-responses.js';
import { describeOperation } from '../../openapi/described-operation.js';
import type { DescribedOperation } from '../../openapi/described-operation.js';
import type { VNode } from '../../html/html.js';
import { requestFields, responseFields } from '../../http/representation/response-fields.js';
import { errorCatalogue } from '../../model/error-catalogue.js';
import { getReason, incompleteReasons, STATE_DESCRIPTIONS } from '../../model/reasons.js';
import type { JsonSchema } from '../../model/schema/json-schema.js';
import { createErrorSchema } from '../../render/envelope.js';
import { formats } from '../../render/formats.js';
import { ReferenceTable } from './reference-table.js';
import type { ReferenceRow } from './reference-table.js';
import { SCHEMA_COLUMNS, createSchemaRows } from './schema-rows.js';

export const sharedContents: readonly (readonly [anchor: string, title: string])[] = [
  ['properties', 'Properties'],
  ['envelopes', 'Envelopes'],
  ['error-bodies', 'Bodies of errors'],
  ['formats', 'Formats'],
  ['request-fields', 'Request fields'],
  ['response-fields', 'Response fields'],
  ['states', 'States of sources'],
  ['reasons', 'Reasons'],
  ['errors', 'Errors'],
];

export function formatErrorAnchor(kind: string): string {
  return `error-${kind}`;
}

interface SharedSection {
  readonly anchor: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReferenceRow[];
}

/** What the configuration lets clients meet (decisions 2.42). */
function createSections({ servedResources, ...access }: DescriptionOptions): readonly SharedSection[] {
  const operations = servedResources.map(describeOperation);
  const met = new Set<string>(operations.flatMap((one) => [...listErrors(one, access, true).values()].flat()));
  return [
    {
      anchor: 'envelopes',
      columns: SCHEMA_COLUMNS,
      rows: createSchemaRows('envelope', Object.assign({}, ...operations.map(listEnvelopeProperties)) as Properties),
    },
    {
      anchor: 'error-bodies',
      columns: SCHEMA_COLUMNS,
      rows: createSchemaRows('error-body', Object.assign({}, ...operations.map(listErrorProperties)) as Properties),
    },
    {
      anchor: 'formats',
      columns: ['Format', 'What it is', 'Extensions', 'Media types'],
      rows: formats.map(({ name, description, extensions, mediaTypes }) => ({
        anchor: `format-${name}`,
        name,
        cells: [description, quote(extensions), quote(mediaTypes)],
      })),
    },
    {
      anchor: 'request-fields',
      columns: ['Field', 'Meaning', 'Example'],
      rows: requestFields
        .filter(({ name }) => access.acceptsCredentials || name !== CREDENTIALS_FIELD)
        .map(({ name, description, example }) => ({
          anchor: `request-${name}`,
          name,
          cells: [description, quote([example])],
        })),
    },
    {
      anchor: 'response-fields',
      columns: ['Field', 'Meaning', 'Example'],
      rows: responseFields
        .filter(({ on }) => access.limitsRates || on.some((kind) => kind !== 'limited'))
        .map(({ name, description, example }) => ({
          anchor: `response-${name}`,
          name,
          cells: [description, quote([example])],
        })),
    },
    {
      anchor: 'states',
      columns: ['State', 'Meaning'],
      rows: Object.entries(STATE_DESCRIPTIONS).map(([state, description]) => ({
        anchor: `state-${state}`,
        name: state,
        cells: [description],
      })),
    },
    {
      anchor: 'reasons',
      columns: ['Reason', 'The source'],
      rows: incompleteReasons.map((reason) => ({
        anchor: `reason-${reason}`,
        name: reason,
        cells: [getReason(reason).text],
      })),
    },
    {
      anchor: 'errors',
      columns: ['Error', 'Status', 'Cause and remedy'],
      rows: Object.entries(errorCatalogue)
        .filter(([kind, { occurrence }]) => met.has(kind) || occurrence === 'method')
        .map(([kind, { status, phrase, description }]) => ({
          anchor: formatErrorAnchor(kind),
          name: kind,
          cells: [`${status} ${phrase}`, description],
        })),
    },
  ];
}

type Properties = Readonly<Record<string, JsonSchema>>;

function listEnvelopeProperties(operation: DescribedOperation): Properties {
  return describeEnvelope(operation, {}).properties ?? {};
}

function listErrorProperties({ served }: DescribedOperation): Properties {
  return createErrorSchema(served.options.servedInterface).properties ?? {};
}

function quote(texts: readonly string[]): string {
  return texts.map((text) => `\`${text}\``).join(' ');
}

export function SharedSections({ description }: { readonly description: DescriptionOptions }): VNode {
  return (
    <>
      {createSections(description).map(({ anchor, columns, rows }) => {
        const title = sharedContents.find(([known]) => known === anchor)?.[1] ?? anchor;
        return (
          <section id={anchor} aria-labelledby={`${anchor}-title`}>
            <h2 id={`${anchor}-title`}>{title}</h2>
            <ReferenceTable caption={title} columns={columns} rows={rows} />
          </section>
        );
      })}
    </>
  );
}
