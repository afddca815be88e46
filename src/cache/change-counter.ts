/** Lets data computed from cached snapshots be checked for validity (decisions 7.6). */
export class ChangeCounter {
  /** A cached snapshot or result was replaced by another, or counts as changed. */
  changes = 0;
  /** Only times or the state of a refresh changed. */
  renewals = 0;
}
