// The map as a picture that can be sent on: title, grids, scale, legend, brand, and who must be named.
import type { Brand } from '../../api/start.svelte';
import { save } from '../../ui/csv';
import { drawScaleBar, type ScaleBar } from '../../ui/map/scalebar';
import type { Ring, Swatch } from './Legend.svelte';

export interface Pane {
  paintOn: (context: CanvasRenderingContext2D, ratio: number) => void;
  width: number;
  height: number;
  caption: string;
  attribution: string;
  scale: ScaleBar;
}

export interface Picture {
  name: string; // of the file
  title: string;
  subtitle: string;
  figures: string[];
  panes: Pane[];
  swatches: readonly Swatch[];
  rings: readonly Ring[]; // around discs that have changed
  brand: Brand | null;
  dark: boolean;
}

interface Inks {
  paper: string;
  ink: string;
  pale: string;
  ground: string;
}

const light: Inks = { paper: '#ffffff', ink: '#16201f', pale: '#4a5655', ground: '#eaeeec' };
const dark: Inks = { paper: '#161e1d', ink: '#e8eeed', pale: '#b4c0be', ground: '#18211f' };

const font = (size: number, weight = 400) => `${weight} ${size}px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif`;
const gap = 8;
const edge = 24;
const line = 30; // of the legend
const narrow = 720; // a picture below this has its figures under its title

export async function savePicture(picture: Picture): Promise<void> {
  const ratio = Math.max(devicePixelRatio, 2);
  const inks = picture.dark ? dark : light;
  const width = picture.panes.reduce((sum, p) => sum + p.width, 0) + gap * (picture.panes.length - 1) + 2 * edge;
  const tall = Math.max(...picture.panes.map((p) => p.height));
  const captions = picture.panes.some((p) => p.caption) ? 24 : 0;
  const head = 84 + (width < narrow ? 24 * picture.figures.length : 0) + captions;
  const canvas = document.createElement('canvas');
  const c = canvas.getContext('2d');
  if (!c) throw new Error('This browser cannot make the picture.');
  const legend = [...marksOf(c, picture, inks), await brandMark(c, picture.brand, inks)];
  const spots = inRows(legend.map((mark) => mark.width), width - 2 * edge, 6);
  const foot = ((spots.at(-1)?.row ?? 0) + 1) * line + 18;
  canvas.width = width * ratio;
  canvas.height = (head + tall + foot) * ratio;
  c.scale(ratio, ratio);
  c.fillStyle = inks.paper;
  c.fillRect(0, 0, width, head + tall + foot);
  drawHead(c, picture, width, inks);
  let x = edge;
  for (const pane of picture.panes) {
    c.drawImage(paneImage(pane, ratio, inks), x, head, pane.width, pane.height);
    drawCaption(c, pane, x, head - captions / 2 - 2, inks);
    x += pane.width + gap;
  }
  legend.forEach((mark, i) => {
    const spot = spots[i] ?? { x: 0, row: 0 };
    const last = i === legend.length - 1; // the brand stands at the right
    mark.draw(last ? width - edge - mark.width : edge + spot.x, head + tall + 9 + (spot.row + 0.5) * line);
  });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('This browser cannot make the picture.');
  save(`${picture.name}.png`, blob);
}

/** Where things of some widths stand, one after the other, in as many rows as they need. */
export function inRows(widths: readonly number[], room: number, apart: number): { x: number; row: number }[] {
  let x = 0;
  let row = 0;
  return widths.map((width) => {
    if (x > 0 && x + width > room) {
      x = 0;
      row++;
    }
    const spot = { x, row };
    x += width + apart;
    return spot;
  });
}

function paneImage(pane: Pane, ratio: number, inks: Inks): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = pane.width * ratio;
  canvas.height = pane.height * ratio;
  const c = canvas.getContext('2d');
  if (!c) return canvas;
  pane.paintOn(c, ratio);
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.globalCompositeOperation = 'destination-over';
  c.fillStyle = inks.ground;
  c.fillRect(0, 0, pane.width, pane.height);
  c.globalCompositeOperation = 'source-over';
  c.font = font(10);
  c.textAlign = 'right';
  c.fillStyle = inks.pale;
  c.fillText(pane.attribution, pane.width - 6, pane.height - 6);
  drawScaleBar(c, pane.scale, 12, pane.height - 28, { ink: inks.pale, halo: inks.ground });
  return canvas;
}

function drawHead(c: CanvasRenderingContext2D, { title, subtitle, figures }: Picture, width: number, { ink, pale }: Inks): void {
  const beside = width >= narrow;
  const room = (width - 2 * edge) * (beside ? 0.58 : 1);
  c.textBaseline = 'alphabetic';
  c.textAlign = 'left';
  c.fillStyle = ink;
  c.font = font(22, 600);
  c.fillText(title, edge, 38, room);
  c.fillStyle = pale;
  c.font = font(14);
  c.fillText(subtitle, edge, 62, room);
  if (beside) c.textAlign = 'right';
  figures.forEach((text, i) => (beside ? c.fillText(text, width - edge, 38 + i * 24, width * 0.4) : c.fillText(text, edge, 86 + i * 24, room)));
}

/** Something in the row under the map; it is drawn around its middle line. */
interface Mark {
  width: number;
  draw: (x: number, y: number) => void;
}

function marksOf(c: CanvasRenderingContext2D, { swatches, rings }: Picture, inks: Inks): Mark[] {
  const text = (words: string, x: number, y: number, colour: string, align: CanvasTextAlign = 'left') => {
    c.font = font(12, 600);
    c.textAlign = align;
    c.textBaseline = 'middle';
    c.fillStyle = colour;
    c.fillText(words, x, y + 0.5);
  };
  c.font = font(12, 600);
  return [
    ...swatches.map(({ name, fill, ink }): Mark => {
      const width = Math.max(c.measureText(name).width + 14, 44);
      return {
        width,
        draw: (x, y) => {
          c.fillStyle = fill;
          c.beginPath();
          c.roundRect(x, y - 11, width, 22, 4);
          c.fill();
          text(name, x + width / 2, y, ink, 'center');
        },
      };
    }),
    ...rings.map(({ name, colour, way }): Mark => ({
      width: 24 + c.measureText(name).width + 6,
      draw: (x, y) => {
        c.strokeStyle = c.fillStyle = colour;
        c.lineWidth = 2;
        c.beginPath();
        c.arc(x + 10, y, 6, 0, 2 * Math.PI);
        c.stroke();
        c.beginPath();
        c.moveTo(x + 10, y + way * 11);
        c.lineTo(x + 14, y + way * 6);
        c.lineTo(x + 6, y + way * 6);
        c.fill();
        text(name, x + 22, y, inks.ink);
      },
    })),
  ];
}

async function brandMark(c: CanvasRenderingContext2D, brand: Brand | null, inks: Inks): Promise<Mark> {
  const name = brand?.name || 'Trigpoint';
  const logo = await pictureOf(brand?.logo_url); // without one, the name stands there
  const tall = 26;
  const wide = logo ? Math.min((logo.naturalWidth / logo.naturalHeight) * tall || tall, 140) : 0;
  c.font = font(12, 600);
  return {
    width: c.measureText(name).width + (logo ? wide + 10 : 0),
    draw: (x, y) => {
      if (logo) c.drawImage(logo, x, y - tall / 2, wide, tall);
      c.font = font(12, 600);
      c.textAlign = 'left';
      c.textBaseline = 'middle';
      c.fillStyle = brand?.name ? inks.ink : inks.pale;
      c.fillText(name, x + (logo ? wide + 10 : 0), y + 0.5);
    },
  };
}

function pictureOf(url: string | undefined): Promise<HTMLImageElement | undefined> {
  if (!url) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const image = Object.assign(new Image(), { onload: () => resolve(image), onerror: () => resolve(undefined), src: url });
  });
}

function drawCaption(c: CanvasRenderingContext2D, { caption, width }: Pane, x: number, y: number, { ink }: Inks): void {
  c.font = font(12, 600);
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  c.fillStyle = ink;
  c.fillText(caption, x, y, width);
}
