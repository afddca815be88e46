import { formatExampleTarget } from '../../openapi/described-operation.js';
import type { DescribedOperation } from '../../openapi/described-operation.js';
import type { OperationExample } from '../../http/operations/served-resource.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { CopyButton } from '../layout/copy-button.js';
import { describeParameterValues, formatExampleValue } from './parameter-values.js';
import { TextWithCode } from './text-with-code.js';
import { ReferenceTable } from './reference-table.js';

interface OperationSectionProps {
  readonly operation: DescribedOperation;
  /** Start of the addresses in the commands: scheme, authority and path. */
  readonly origin: string;
  readonly statuses: readonly { readonly status: number; readonly anchor: string }[];
}

/** Path, parameters, formats, statuses and examples. */
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
          cells: [meaning, describeParameterValues(schema), <SourceText text={formatExampleValue(example)} />],
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
