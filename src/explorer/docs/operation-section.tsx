import { formatExampleTarget } from '../../openapi/described-operation.js';
import type { DescribedOperation } from '../../openapi/described-operation.js';
import { listErrors } from '../../openapi/describe-responses.js';
import type { DescriptionOptions } from '../../openapi/create-openapi.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { CopyButton } from '../layout/copy-button.js';
import { describeParameterValues, formatExampleValue } from './parameter-values.js';
import { ReferenceTable, TextWithCode } from './reference-table.js';

interface OperationSectionProps {
  readonly operation: DescribedOperation;
  readonly description: DescriptionOptions;
  /** Start of the addresses in the commands: scheme, authority and path. */
  readonly origin: string;
}

/** Path, parameters, formats, statuses and examples. */
export function OperationSection({ operation, description: options, origin }: OperationSectionProps): VNode {
  const { served, path, description, itemId, parameters, formats, ownPropertyPattern } = operation;
  const { operationId, summary, examples } = served.description;
  const ids = itemId === undefined ? [] : [{ ...itemId, name: `{${itemId.name}}` }];
  return (
    <section id={operationId} class="operation" aria-labelledby={`${operationId}-title`}>
      <h3 id={`${operationId}-title`}>
        {summary}: <code>{path}</code>
      </h3>
      <p>
        <TextWithCode text={description} />
      </p>
      {examples.map((example) => {
        const target = formatExampleTarget(served, example);
        const command = `curl -s '${origin}${target}'`;
        return (
          <p>
            {example.summary} (<a href={served.options.publicUrl + target}>open</a>): <code>{command}</code>{' '}
            <CopyButton text={command} label={`the command: ${example.summary}`} />
          </p>
        );
      })}
      <ReferenceTable
        caption={`Parameters of ${path}`}
        anchor={`${operationId}.`}
        columns={['Parameter', 'What it does', 'Values', 'Example']}
        rows={[...ids, ...parameters].map(({ name, description: meaning, schema, example }) => [
          name,
          meaning,
          describeParameterValues(schema),
          <SourceText text={formatExampleValue(example)} />,
        ])}
      />
      {ownPropertyPattern !== undefined && (
        <p>
          Properties that only one source has are filters too: names that match <code>{ownPropertyPattern}</code>.
        </p>
      )}
      <p>
        Formats:{' '}
        {formats.map(({ name }) => (
          <>
            <a href={`#format-${name}`}>{name.toUpperCase()}</a>{' '}
          </>
        ))}
        Errors:{' '}
        {[...listErrors(operation, options)].map(([status, [kind = '']]) => (
          <>
            <a href={`#error-${kind}`}>{status}</a>{' '}
          </>
        ))}
      </p>
    </section>
  );
}
