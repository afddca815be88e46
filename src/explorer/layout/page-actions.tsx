import type { ServedResource } from '../../http/operations/served-resource.js';
import { getPathParts } from '../../http/match-route.js';
import { DOCS_PATH } from '../../http/representation/description-links.js';
import { listServedFormats } from '../../http/request/served-formats.js';
import { isAccessSufficient } from '../../model/access-level.js';
import type { FormatName } from '../../model/resources/served-formats.js';
import { formatHref } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { ComponentChildren, VNode } from '../../html/html.js';
import { CopyButton } from './copy-button.js';
import { useAddress } from './page-address.js';
import { SourceText } from '../../html/source-text.js';

interface PageActionsProps {
  /** What the page shows. */
  readonly subject: 'list' | 'team';
  /** Complete address of the page. */
  readonly link: string;
  /** Links to files, named by what people do with them. */
  readonly files: ComponentChildren;
  /** The same for programs. */
  readonly children: ComponentChildren;
}

/** What a reader can do with what a page shows. */
export function PageActions({ subject, link, files, children }: PageActionsProps): VNode {
  return (
    <section class="actions" aria-label={`What to do with this ${subject}`}>
      <p>
        <CopyButton text={link} label={`link to this ${subject}`} action="Copy link" /> {files}
      </p>
      <details>
        <summary>For programs</summary>
        {children}
      </details>
    </section>
  );
}

interface ListActionsProps {
  readonly resource: ServedResource;
  /** The same list with the keys of its teams. Absent: no record has keys. */
  readonly keyList?: ServedResource;
  /** Of the page, which has the same parameters. */
  readonly path: string;
  readonly parameters: PageParameters;
  /** Number of matches. */
  readonly total: number;
}

/** Also for programs: the address of the list and all its formats. */
export function ListActions({ resource, keyList, path: pagePath, parameters, total }: ListActionsProps): VNode {
  const { publicUrl, rules } = resource.options;
  const { limit } = rules;
  const path = pathOf(resource);
  const publicAddress = formatHref(publicUrl + path, parameters);
  const address = useAddress();
  // Without a limit, a file would end after the default number of records, and nothing in it would say so.
  const fileParameters: PageParameters =
    total > limit.default ? [...parameters, ['limit', String(limit.max)]] : parameters;
  const files = (
    <>
      <FormatLinks resource={resource} path={path} parameters={fileParameters} areNamed />{' '}
      {keyList !== undefined && hasKeysOf(keyList, parameters) && (
        <a
          class="action"
          href={address(`${pathOf(keyList)}.asc`, [
            ...fileParameters.filter(([name]) => name !== 'sort'),
            ['scope', 'pgp'],
          ])}
        >
          Save keys
        </a>
      )}
      {total > limit.max && ` Files have the first ${limit.max.toLocaleString('en')} of ${total.toLocaleString('en')}.`}
    </>
  );
  return (
    <PageActions subject="list" link={formatHref(publicUrl + pagePath, parameters)} files={files}>
      <p>
        <code>
          <SourceText text={publicAddress} />
        </code>{' '}
        <CopyButton text={publicAddress} label="the address of this list" />
      </p>
      <p>
        <FormatLinks resource={resource} path={path} parameters={fileParameters} />
      </p>
      <p>
        <a href={address(`${DOCS_PATH}#${resource.description.operationId}`)}>
          All parameters and properties of this list
        </a>
      </p>
    </PageActions>
  );
}

function pathOf(resource: ServedResource): string {
  return `${resource.basePath}/${getPathParts(resource).path}`;
}

/** Both interfaces have these, and mean the same. An order changes no file of keys. */
const SHARED_PARAMETERS: ReadonlySet<string> = new Set(['q', 'country', 'region', 'source-name', 'sort']);

/** The public may have keys, and those of exactly the listed teams can be had. */
function hasKeysOf({ options }: ServedResource, parameters: PageParameters): boolean {
  return (
    isAccessSufficient('public', options.rules.scopeAccess.pgp) &&
    parameters.every(([name]) => SHARED_PARAMETERS.has(name))
  );
}

/** What people do with a format. */
const ACTIONS: Partial<Readonly<Record<FormatName, string>>> = {
  xlsx: 'Open in Excel',
  vcf: 'Add to address book',
  atom: 'Subscribe',
};

interface FormatLinksProps {
  readonly resource: ServedResource;
  /** Without an extension. */
  readonly path: string;
  readonly parameters?: PageParameters;
  /** Only those with which people do something, named by that. */
  readonly areNamed?: boolean;
}

export function FormatLinks({ resource, path, parameters = [], areNamed = false }: FormatLinksProps): VNode {
  const address = useAddress();
  return (
    <>
      {listServedFormats(resource.options.rules, 'public')
        .filter(({ name }) => !areNamed || ACTIONS[name] !== undefined)
        .map(({ name, extensions: [extension = ''] }, at) => (
          <>
            {at > 0 && ' '}
            <a {...(areNamed && { class: 'action' })} href={address(path + extension, parameters)}>
              {areNamed ? ACTIONS[name] : name.toUpperCase()}
            </a>
          </>
        ))}
    </>
  );
}
