/**
 * Values by a list of labels, with one level of the tree for each label. Joining the labels to one key takes longer
 * than a look-up for each.
 */
export class LabelTree<T> {
  value: T | undefined;
  private readonly children = new Map<string, LabelTree<T>>();

  getNode(labels: readonly string[]): LabelTree<T> {
    return labels.reduce<LabelTree<T>>((node, label) => node.getChild(label), this);
  }

  /** The values in the order in which their labels first occurred; those with the same first label are together. */
  *values(): Iterable<T> {
    if (this.value !== undefined) yield this.value;
    for (const node of this.children.values()) yield* node.values();
  }

  /** Removes all values whose first label is this one. */
  remove(label: string): void {
    this.children.delete(label);
  }

  private getChild(label: string): LabelTree<T> {
    const existing = this.children.get(label);
    if (existing !== undefined) return existing;
    const node = new LabelTree<T>();
    this.children.set(label, node);
    return node;
  }
}
