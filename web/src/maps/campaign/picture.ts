// The map as a picture that can be sent on: title, grids, legend, brand, and who must be named.
import type { Brand } from '../../api/start.svelte';
import { save } from '../../ui/csv';
import type { Swatch } from './Legend.svelte';

export interface Pane {
  paintOn: (context: CanvasRenderingContext2D, ratio: number) => void;
  width: number;
  height: number;
  caption: string;
  attribution: string;
}

export interface Picture {
  name: string; // of the file
  title: string;
  subtitle: string;
  figures: string[];
  panes: Pane[];
  swatches: readonly Swatch[];
  brand: Brand | null;
  dark: boolean;
}

const font = (size: number, weight = 400) => `${weight} ${size}px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif`;
const head = 84;
const foot = 48;
const gap = 8;
const edge = 24;

export async function savePicture(picture: Picture): Promise<void> {
  const ratio = Math.max(devicePixelRatio, 2);
  const inner = picture.panes.reduce((sum, p) => sum + p.width, 0) + gap * (picture.panes.length - 1);
  const width = inner + 2 * edge;
  const tall = Math.max(...picture.panes.map((p) => p.height));
  const canvas = document.createElement('canvas');
  canvas.width = width * ratio;
  canvas.height = (head + tall + foot) * ratio;
  const c = canvas.getContext('2d');
  if (!c) throw new Error('This browser cannot make the picture.');
  c.scale(ratio, ratio);
  const [paper, ink, pale] = picture.dark ? ['#161e1d', '#e8eeed', '#b4c0be'] : ['#ffffff', '#16201f', '#4a5655'];
  c.fillStyle = paper;
  c.fillRect(0, 0, width, head + tall + foot);
  drawHead(c, picture, width, ink, pale);
  let x = edge;
  for (const pane of picture.panes) {
    c.drawImage(paneImage(pane, ratio, picture.dark), x, head, pane.width, pane.height);
    if (pane.caption) label(c, pane.caption, x + 12, head + 12, paper, ink);
    x += pane.width + gap;
  }
  await drawFoot(c, picture, width, head + tall, ink, pale);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('This browser cannot make the picture.');
  save(`${picture.name}.png`, blob);
}

function paneImage(pane: Pane, ratio: number, dark: boolean): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = pane.width * ratio;
  canvas.height = pane.height * ratio;
  const c = canvas.getContext('2d');
  if (!c) return canvas;
  pane.paintOn(c, ratio);
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.globalCompositeOperation = 'destination-over';
  c.fillStyle = dark ? '#18211f' : '#eaeeec';
  c.fillRect(0, 0, canvas.width, canvas.height);
  if (pane.attribution) {
    c.globalCompositeOperation = 'source-over';
    c.scale(ratio, ratio);
    c.font = font(10);
    c.textAlign = 'right';
    c.fillStyle = dark ? '#b4c0be' : '#4a5655';
    c.fillText(pane.attribution, pane.width - 6, pane.height - 6);
  }
  return canvas;
}

function drawHead(c: CanvasRenderingContext2D, { title, subtitle, figures }: Picture, width: number, ink: string, pale: string): void {
  c.textBaseline = 'alphabetic';
  c.textAlign = 'left';
  c.fillStyle = ink;
  c.font = font(22, 600);
  c.fillText(title, edge, 38, width * 0.55);
  c.fillStyle = pale;
  c.font = font(14);
  c.fillText(subtitle, edge, 62, width * 0.55);
  c.textAlign = 'right';
  figures.forEach((text, i) => c.fillText(text, width - edge, 38 + i * 24, width * 0.4));
}

async function drawFoot(c: CanvasRenderingContext2D, { swatches, brand }: Picture, width: number, top: number, ink: string, pale: string): Promise<void> {
  let x = edge;
  c.font = font(12, 600);
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  for (const swatch of swatches) {
    const wide = Math.max(c.measureText(swatch.name).width + 14, 44);
    c.fillStyle = swatch.fill;
    c.beginPath();
    c.roundRect(x, top + 13, wide, 22, 4);
    c.fill();
    c.fillStyle = swatch.ink;
    c.fillText(swatch.name, x + wide / 2, top + 24.5);
    x += wide + 4;
  }
  c.textAlign = 'right';
  c.fillStyle = brand?.name ? ink : pale;
  const name = brand?.name || 'Trigpoint';
  c.fillText(name, width - edge, top + 24.5);
  if (!brand?.logo_url) return;
  const logo = await new Promise<HTMLImageElement | undefined>((resolve) => {
    const image = Object.assign(new Image(), { onload: () => resolve(image), onerror: () => resolve(undefined), src: brand.logo_url });
  });
  if (!logo) return; // the name stands there
  const tall = 28;
  const wide = Math.min((logo.naturalWidth / logo.naturalHeight) * tall || tall, 140);
  c.drawImage(logo, width - edge - c.measureText(name).width - 10 - wide, top + 10, wide, tall);
}

function label(c: CanvasRenderingContext2D, text: string, x: number, y: number, paper: string, ink: string): void {
  c.font = font(12, 600);
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  c.fillStyle = paper;
  c.beginPath();
  c.roundRect(x, y, c.measureText(text).width + 16, 24, 6);
  c.fill();
  c.fillStyle = ink;
  c.fillText(text, x + 8, y + 12.5);
}
