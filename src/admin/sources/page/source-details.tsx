import type { VNode } from '../../../html/html.js';
import { SourceText } from '../../../html/source-text.js';
import type { SourceLevelStatus, SourceStatus } from '../../../lists/status/source-status.js';
import { YamlBlock, toDocumentNode } from '../../layout/yaml-block.js';
import { SourceActions } from './source-commands.js';
import { listNamedLists } from './source-problems.js';

interface SourceDetailsProps {
  readonly source: SourceStatus;
  readonly label: string;
  readonly actionsAt: string | undefined;
}

/** All that the report has. A link to the id of the source opens it. */
export function SourceDetails({ source, label, actionsAt }: SourceDetailsProps): VNode {
  const { code, sourceName, kind, levels } = source;
  return (
    <details>
      <summary>
        <strong>
          <SourceText text={sourceName} max={200} />
        </strong>{' '}
        ({code}): {label}
      </summary>
      <div id={`source-${code}`}>
        <YamlBlock node={toDocumentNode(source)} />
        <SourceActions code={code} kind={kind} actionsAt={actionsAt} isDoubted={levels.some(isDoubted)} />
      </div>
    </details>
  );
}

function isDoubted(level: SourceLevelStatus): boolean {
  return listNamedLists(level).some(({ status }) => status.doubt !== undefined);
}
