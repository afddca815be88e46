import { parseCountryCode } from '../../region/country.js';
import { teamPropertyPairs } from '../../model/resources/team-property-mapping.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { MAX_ITEMS, countryName } from './team-facts.js';
import type { TeamRecord } from './team-model.js';

/** The directory record has these in another form or under another name. */
const SHARED_WITH_DIRECTORY: ReadonlySet<string> = new Set([
  ...teamPropertyPairs.map(([, data]) => data),
  'id',
  'phone',
  'fax',
  'membership',
  'last-modified',
]);

/** As the repository states them. */
export function PropertyTable({ record, whole }: { readonly record: TeamRecord; readonly whole: string }): VNode {
  const { directory, data, facts } = record;
  const further = [...(data ?? [])].filter(([name]) => !SHARED_WITH_DIRECTORY.has(name) && !directory.has(name));
  return (
    <section class="panel properties" aria-labelledby="properties-title">
      <h2 id="properties-title">All properties</h2>
      <table>
        <caption>
          Stated by <SourceText text={facts.sourceName} />
          {facts.modified === '' ? ', undated' : `, ${facts.modified}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {[...directory, ...further].map(([name, texts]) => (
            <tr>
              <th scope="row">
                <code>
                  <SourceText text={name} />
                </code>
              </th>
              <td>
                <PropertyValues name={name} texts={texts} whole={whole} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** One, or a list. A country code is followed by its name. */
export function PropertyValues({
  name,
  texts,
  whole,
}: {
  readonly name: string;
  readonly texts: readonly string[];
  readonly whole: string;
}): VNode {
  const describe = (text: string): VNode => (
    <span class="lines">
      <SourceText text={text} whole={whole} />
      {name.includes('country') && parseCountryCode(text) !== undefined && ` (${countryName(text)})`}
    </span>
  );
  const [first = '', ...others] = texts;
  if (others.length === 0) return describe(first);
  return (
    <ul>
      {texts.slice(0, MAX_ITEMS).map((text) => (
        <li>{describe(text)}</li>
      ))}
      {texts.length > MAX_ITEMS && (
        <li>
          … <a href={whole}>({texts.length - MAX_ITEMS} more: see the whole record)</a>
        </li>
      )}
    </ul>
  );
}
