import type { ServedResource } from '../../http/operations/served-resource.js';
import { getPathParts } from '../../http/match-route.js';
import { DOCS_PATH } from '../../http/representation/description-links.js';
import { listServedFormats } from '../../http/request/served-formats.js';
import type { FormatName } from '../../model/resource.js';
import { formatHref } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { CopyButton } from './copy-button.js';
import { useAddress } from './page-address.js';
import { SourceText } from '../../html/source-text.js';

interface ListActionsProps {
  readonly resource: ServedResource;
  /** Of the page, which has the same parameters. */
  readonly path: string;
  readonly parameters: PageParameters;
  /** Number of matches. */
  readonly total: number;
}

/** What a reader can do with a list; and for programs its address and all formats. */
export function ListActions({ resource, path: pagePath, parameters, total }: ListActionsProps): VNode {
  const { publicUrl, rules } = resource.options;
  const { limit } = rules;
  const path = `${resource.basePath}/${getPathParts(resource).path}`;
  const publicAddress = formatHref(publicUrl + path, parameters);
  const address = useAddress();
  // Without a limit, a file would end after the default number of records, and nothing in it would say so.
  const fileParameters: PageParameters =
    total > limit.default ? [...parameters, ['limit', String(limit.max)]] : parameters;
  return (
    <section class="actions" aria-label="What to do with this list">
      <p class="downloads">
        <FormatLinks resource={resource} path={path} parameters={fileParameters} names={ACTION_FORMATS} />{' '}
        <CopyButton text={formatHref(publicUrl + pagePath, parameters)} label="link to this list" action="Copy link" />
        {total > limit.max &&
          ` Files have the first ${limit.max.toLocaleString('en')} of ${total.toLocaleString('en')}.`}
      </p>
      <details>
        <summary>For programs</summary>
        <p>
          <code>
            <SourceText text={publicAddress} />
          </code>{' '}
          <CopyButton text={publicAddress} label="the address of this list" />
        </p>
        <p class="downloads">
          <FormatLinks resource={resource} path={path} parameters={fileParameters} />
        </p>
        <p>
          <a href={address(`${DOCS_PATH}#${resource.description.operationId}`)}>
            All parameters and properties of this list
          </a>
        </p>
      </details>
    </section>
  );
}

/** What people do with a format. */
const ACTIONS: Partial<Readonly<Record<FormatName, string>>> = {
  xlsx: 'Open in Excel',
  vcf: 'Add to address book',
  asc: 'Save keys',
  atom: 'Subscribe',
};

const ACTION_FORMATS: ReadonlySet<string> = new Set(Object.keys(ACTIONS));

interface FormatLinksProps {
  readonly resource: ServedResource;
  /** Without an extension. */
  readonly path: string;
  readonly parameters?: PageParameters;
  /** As far as the resource is served in these, named by what people do with them. Absent: all formats, by name. */
  readonly names?: ReadonlySet<string>;
}

export function FormatLinks({ resource, path, parameters = [], names }: FormatLinksProps): VNode {
  const address = useAddress();
  const formats = listServedFormats(resource.options.rules, 'public');
  const shown = names === undefined ? formats : formats.filter(({ name }) => names.has(name));
  return (
    <>
      {shown.map(({ name, extensions: [extension = ''] }, at) => (
        <>
          {at > 0 && ' '}
          <a {...(names && { class: 'action' })} href={address(path + extension, parameters)}>
            {(names && ACTIONS[name]) ?? name.toUpperCase()}
          </a>
        </>
      ))}
    </>
  );
}
