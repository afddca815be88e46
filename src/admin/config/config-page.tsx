import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { isMapNode } from '../../model/document-node.js';
import type { DocumentNode } from '../../model/document-node.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { ServedGeneration } from '../admin-state.js';
import { AdminPage } from '../layout/admin-page.js';
import { YamlBlock } from '../layout/yaml-block.js';
import { Notice } from '../layout/notice.js';
import { describeFailedReload } from '../sources/sources-notices.js';

type Shown = Pick<ServedGeneration, 'file' | 'loadedAt' | 'number' | 'failedReload'> & {
  /** Without secrets. */
  readonly config: ReadonlyMap<string, DocumentNode>;
};

/** (operation 3.7) */
export function createConfigPage({ file, loadedAt, number, failedReload, config }: Shown): VNode {
  const { sources, ...sections } = Object.fromEntries(config);
  return (
    <AdminPage title="Configuration in force" section="/config">
      {failedReload && <Notice {...describeFailedReload(failedReload)} />}
      <dl class="facts">
        <dt>File</dt>
        <dd>
          <SourceText text={file} />
        </dd>
        <dt>Loaded</dt>
        <dd>{formatIsoTimestamp(loadedAt)}</dd>
        <dt>Generation</dt>
        <dd>
          {number === 1
            ? '1, since the start'
            : `${number}, after ${number - 1} ${number === 2 ? 'reload' : 'reloads'}`}
        </dd>
      </dl>
      <p>
        Defaults are filled in. Values that are secret, or may be, are shown as (hidden). As data:{' '}
        <a href="/config?format=yaml">YAML</a>, <a href="/config?format=json">JSON</a>.
      </p>
      {Object.entries(sections).map(([name, section]) => (
        <>
          <h2>{name}</h2>
          <YamlBlock node={section} />
        </>
      ))}
      <h2>sources</h2>
      {sources !== undefined &&
        isMapNode(sources) &&
        [...sources].map(([code, source]) => (
          <details>
            <summary>{code}</summary>
            <YamlBlock node={source} />
          </details>
        ))}
    </AdminPage>
  );
}
