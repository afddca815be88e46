import { formatExampleTarget } from '../../openapi/described-operation.js';
import type { DescribedOperation, DescribedParameter } from '../../openapi/described-operation.js';
import type { OperationExample } from '../../http/operations/served-resource.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import type { JsonSchema, JsonValue } from '../../model/schema/json-schema.js';
import { CopyButton } from '../layout/copy-button.js';
import { TextWithCode } from './text-with-code.js';
import { ReferenceTable } from './reference-table.js';

/** What the section of an operation is built from. */
export interface OperationSectionProps {
  readonly operation: DescribedOperation;
  /** Scheme and authority of the commands. */
  readonly origin: string;
  /** Statuses that the operation can have. */
  readonly statuses: readonly { readonly status: number; readonly anchor: string }[];
}

/** An operation: its path, parameters, formats, statuses and examples. */
export function OperationSection({ operation, origin, statuses }: OperationSectionProps): VNode {
  const { served, path, description, itemId, parameters, formats, ownPropertyPattern } = operation;
  const { operationId, summary, examples } = served.description;
  const all = [...(itemId === undefined ? [] : [itemId]), ...parameters];
  return (
    <section id={operationId} class="operation" aria-labelledby={`${operationId}-title`}>
      <h3 id={`${operationId}-title`}>
        {summary}: <code>{path}</code>
      </h3>
      <p>
        <TextWithCode text={description} />
      </p>
      {examples.map((example) => (
        <Example operation={operation} example={example} origin={origin} />
      ))}
      <ReferenceTable
        caption={`Parameters of ${path}`}
        columns={['Parameter', 'What it does', 'Values', 'Example']}
        rows={all.map(({ name, description: meaning, schema, example }) => ({
          anchor: `${operationId}.${name}`,
          name: itemId?.name === name && itemId.example === example ? `{${name}}` : name,
          cells: [meaning, describeValues(schema), <SourceText text={formatExampleValue(example)} />],
        }))}
      />
      {ownPropertyPattern !== undefined && (
        <p>
          Properties that only one source has are filters too: names that match <code>{ownPropertyPattern}</code>.
        </p>
      )}
      <p>
        Formats:{' '}
        {formats.map(({ name }, at) => (
          <>
            {at > 0 && ', '}
            <a href={`#format-${name}`}>{name.toUpperCase()}</a>
          </>
        ))}
        . Errors:{' '}
        {statuses.map(({ status, anchor }, at) => (
          <>
            {at > 0 && ', '}
            <a href={`#${anchor}`}>{status}</a>
          </>
        ))}
        .
      </p>
    </section>
  );
}

function Example({
  operation: { served },
  example,
  origin,
}: {
  readonly operation: DescribedOperation;
  readonly example: OperationExample;
  readonly origin: string;
}): VNode {
  const target = formatExampleTarget(served, example);
  const command = `curl -s '${origin}${target}'`;
  return (
    <div class="example">
      <p>
        {example.summary} (<a href={served.options.publicUrl + target}>open</a>):
      </p>
      <p class="address">
        <code>{command}</code> <CopyButton text={command} label={`the command: ${example.summary}`} />
      </p>
      <pre tabindex={0} aria-label={`Response: ${example.summary}`}>
        {JSON.stringify(example.response, undefined, 4)}
      </pre>
    </div>
  );
}

/** Maximum number of values that a table names. The description in OpenAPI has all of them. */
const MAX_NAMED_VALUES = 40;

/** Values of a parameter in words, from its schema. */
function describeValues({
  type,
  enum: values,
  items,
  minimum,
  maximum,
  default: preset,
  description,
  anyOf,
  pattern,
}: JsonSchema): string {
  if (description !== undefined) return description;
  const facts = [
    items !== undefined && `joined by commas: ${describeValues(items)}`,
    values !== undefined && describeEnumeration(values),
    values === undefined && items === undefined && anyOf === undefined && [type ?? ''].flat().join(' or '),
    pattern !== undefined && `matching \`${pattern}\``,
    anyOf !== undefined && [...new Set(anyOf.map(describeValues))].join('; or '),
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    preset !== undefined && `default \`${formatExampleValue(preset)}\``,
  ];
  return facts.filter((fact) => fact !== false).join(', ');
}

function describeEnumeration(values: readonly JsonValue[]): string {
  const named = values.slice(0, MAX_NAMED_VALUES).map((value) => `\`${formatExampleValue(value)}\``);
  const omitted = values.length - named.length;
  return `${named.join(' ')}${omitted > 0 ? ` and ${omitted} more` : ''}`;
}

function formatExampleValue(example: DescribedParameter['example']): string {
  if (Array.isArray(example)) return example.map((item: JsonValue) => formatExampleValue(item)).join(',');
  return typeof example === 'string' ? example : JSON.stringify(example);
}
