import { encode } from 'uqr';
import type { VNode } from '../../html/html.js';

/** Of the eight that the code may have. Comparing them takes four times as long as the rest. */
const MASK = 0;

/** Dark on white in every colour scheme, as cameras expect it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): VNode {
  const { data, size } = encode(text, { ecc: 'M', border: 4, maskPattern: MASK });
  const path = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width="180" height="180">
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={path.join('')} />
    </svg>
  );
}
