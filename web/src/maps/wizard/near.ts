// A point as people write it: "33.7748, -84.2963".
import type { Coordinates } from '../../ui/map/view';

export const writePoint = ({ lat, lng }: Coordinates): string => `${lat.toFixed(4)}, ${lng.toFixed(4)}`;

export function readPoint(text: string): Coordinates | undefined {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text);
  const [lat, lng] = [Number(found?.[1]), Number(found?.[2])];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}
