/** Tells whoever made something of what is held whether it may have become another. */
export class ChangeCounter {
  /** Grows when what is held becomes another, or is taken for another. */
  changes = 0;
  /** Grows when what is held is as it was, and only its instants have moved on. */
  renewals = 0;
}
