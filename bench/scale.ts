import type { Figure } from './measure.js';
import { cold } from './scale/cold.js';
import { growingDrains } from './scale/drains.js';
import { fronts } from './scale/front.js';
import { held } from './scale/held.js';

/** What a hundred sources cost, and large ones, and how the cost grows with them. */
export async function scale(): Promise<Figure[]> {
  return [...(await cold()), ...(await held()), ...(await fronts()), ...(await growingDrains())];
}
