/**
 * SVG path data with whole, relative coordinates, which are half as long as absolute ones. Points that round to the one
 * before are left out, and so are outlines with fewer than three points.
 */
export class PathWriter {
  private readonly pieces: string[] = [];
  private outline: [x: number, y: number][] = [];
  private current: readonly [x: number, y: number] = [0, 0];

  moveTo(x: number, y: number): void {
    this.outline = [[Math.round(x), Math.round(y)]];
  }

  lineTo(x: number, y: number): void {
    const next: [number, number] = [Math.round(x), Math.round(y)];
    const last = this.outline.at(-1);
    if (last?.[0] !== next[0] || last[1] !== next[1]) this.outline.push(next);
  }

  closePath(): void {
    const [first, ...others] = this.outline;
    if (first === undefined || others.length < 2) return;
    this.pieces.push(`m${this.step(first)}l${others.map((point) => this.step(point)).join(' ')}z`);
    this.current = first;
  }

  /** Points, which no country has. */
  arc(): void {
    throw new Error('an outline has no arcs');
  }

  beginPath(): void {
    this.pieces.length = 0;
    this.current = [0, 0];
  }

  /** Since the last call. */
  take(): string {
    const path = this.pieces.join('');
    this.beginPath();
    return path;
  }

  private step(point: readonly [x: number, y: number]): string {
    const [dx, dy] = [point[0] - this.current[0], point[1] - this.current[1]];
    this.current = point;
    return dy < 0 ? `${dx}${dy}` : `${dx} ${dy}`;
  }
}
