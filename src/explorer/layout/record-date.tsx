import { parseDate } from '../../text/date.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';

const DAY_MS = 86_400_000;
const OLD_MS = 2 * 365.25 * DAY_MS;

/** A clock that is in advance of this one by less is no error. */
const TOLERATED_MS = DAY_MS;

interface RecordDateProps {
  /** Of the source; empty where it has none. */
  readonly text: string;
  /** In milliseconds since 1970. Absent: the date is not marked. */
  readonly now: number | undefined;
}

/** When a repository changed its record, marked where that is more than two years ago or in the future. */
export function RecordDate({ text, now }: RecordDateProps): VNode {
  if (text === '') return <>undated</>;
  const age = (now ?? NaN) - (parseDate(text)?.epochMs ?? NaN);
  return (
    <>
      record of <SourceText text={text} />
      {age > OLD_MS && <span class="mark"> older than two years</span>}
      {age < -TOLERATED_MS && <span class="mark"> dated in the future</span>}
    </>
  );
}
