// What pictures may be, and how one that is not is made to fit before it is sent.
import type { components } from '../api/generated/local';

export type Picture = components['schemas']['Image'];
export type PictureType = Picture['type'];

interface Bounds {
  least: [width: number, height: number];
  most: [width: number, height: number];
}

const bounds: Record<PictureType, Bounds> = {
  PHOTO: { least: [270, 270], most: [5000, 5000] },
  PROFILE: { least: [250, 250], most: [5000, 5000] },
  COVER: { least: [480, 270], most: [2120, 1192] },
};

export const mostBytes = 4 * 1024 * 1024;
export const typeNames: Record<PictureType, string> = { PHOTO: 'Photo', PROFILE: 'Logo', COVER: 'Cover' };

const pixels = ([width, height]: [number, number]) => `${width}×${height}`;

export const limits = (type: PictureType): string => `JPEG or PNG, at most 4 MB, ${pixels(bounds[type].least)} to ${pixels(bounds[type].most)} pixels`;

/** The part of a picture that is kept, and the size that it gets. */
export interface Fit {
  x: number;
  y: number;
  width: number;
  height: number;
  toWidth: number;
  toHeight: number;
}

/**
 * Scales a picture into the bounds of its type, never up; where a side would become too short then, the longer one
 * is cropped around its middle. Undefined when the picture is too small.
 */
export function fitInto(type: PictureType, width: number, height: number): Fit | undefined {
  const { least, most } = bounds[type];
  if (width < least[0] || height < least[1]) return undefined;
  const scale = Math.min(1, Math.max(Math.min(most[0] / width, most[1] / height), least[0] / width, least[1] / height));
  const toWidth = Math.min(Math.round(width * scale), most[0]);
  const toHeight = Math.min(Math.round(height * scale), most[1]);
  const [keptWidth, keptHeight] = [Math.min(width, toWidth / scale), Math.min(height, toHeight / scale)];
  return { x: (width - keptWidth) / 2, y: (height - keptHeight) / 2, width: keptWidth, height: keptHeight, toWidth, toHeight };
}

/** What is wrong with a file, and whether it can be mended here. */
export interface Verdict {
  problem?: string;
  fit?: Fit; // given: the picture is redrawn before it is sent
}

export function judge(type: PictureType, file: { type: string; size: number }, width: number, height: number): Verdict {
  const fit = fitInto(type, width, height);
  if (!fit) return { problem: `It has ${width}×${height} pixels; a ${typeNames[type].toLowerCase()} needs ${pixels(bounds[type].least)} at least. Choose a larger picture.` };
  const asItIs = ['image/jpeg', 'image/png'].includes(file.type) && file.size <= mostBytes && fit.toWidth === width && fit.toHeight === height;
  return asItIs ? {} : { fit };
}

/** The picture as JPEG or PNG within all limits. */
export async function redraw(picture: ImageBitmap, fit: Fit, transparent: boolean): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = fit.toWidth;
  canvas.height = fit.toHeight;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser cannot draw the picture.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, fit.x, fit.y, fit.width, fit.height, 0, 0, fit.toWidth, fit.toHeight);
  const encode = (type: string, quality?: number) => new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  const tries: [string, number?][] = [...(transparent ? [['image/png'] as [string]] : []), ['image/jpeg', 0.9], ['image/jpeg', 0.8], ['image/jpeg', 0.65], ['image/jpeg', 0.5]];
  for (const [type, quality] of tries) {
    const blob = await encode(type, quality);
    if (blob && blob.size <= mostBytes) return blob;
  }
  throw new Error('The picture stays above 4 MB. Choose one with fewer pixels.');
}

/** Standard base64, as the API takes it. */
export async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
