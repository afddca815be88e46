import type { ServedResource } from '../../http/operations/served-resource.js';
import { getPathParts } from '../../http/match-route.js';
import { DOCS_PATH } from '../../http/representation/description-links.js';
import { listServedFormats } from '../../http/request/served-formats.js';
import { formatHref } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { CopyButton } from './copy-button.js';
import { useAddress } from './page-address.js';
import { SourceText } from '../../html/source-text.js';

interface ProgramAccessProps {
  readonly resource: ServedResource;
  readonly parameters: PageParameters;
  /** Number of matches. */
  readonly total: number;
}

/** The address of the list for programs, and the list as files in each format. */
export function ProgramAccess({ resource, parameters, total }: ProgramAccessProps): VNode {
  const { publicUrl, rules } = resource.options;
  const { limit } = rules;
  const path = `${resource.basePath}/${getPathParts(resource).path}`;
  const publicAddress = formatHref(publicUrl + path, parameters);
  const address = useAddress();
  // Without a limit, a file would end after the default number of records, and nothing in it would say so.
  const fileParameters: PageParameters =
    total > limit.default ? [...parameters, ['limit', String(limit.max)]] : parameters;
  return (
    <section class="program" aria-labelledby="program-title">
      <h2 id="program-title">The list as a program would ask for it</h2>
      <p class="address">
        <code>
          <SourceText text={publicAddress} />
        </code>{' '}
        <CopyButton text={publicAddress} label="the address of this list" />
      </p>
      <p class="downloads">
        Download
        {total > limit.max && ` the first ${limit.max.toLocaleString('en')} of ${total.toLocaleString('en')}`}:{' '}
        <FormatLinks resource={resource} path={path} parameters={fileParameters} />
      </p>
      <p>
        <a href={address(`${DOCS_PATH}#${resource.description.operationId}`)}>
          All parameters and properties of this list
        </a>
      </p>
    </section>
  );
}

/** In each format in which the resource is served. */
export function FormatLinks({
  resource,
  path,
  parameters = [],
}: {
  readonly resource: ServedResource;
  /** Without an extension. */
  readonly path: string;
  readonly parameters?: PageParameters;
}): VNode {
  const address = useAddress();
  return (
    <>
      {listServedFormats(resource.options.rules, 'public').map(({ name, extensions: [extension = ''] }, at) => (
        <>
          {at > 0 && ' '}
          <a href={address(path + extension, parameters)}>{name.toUpperCase()}</a>
        </>
      ))}
    </>
  );
}
