// Discs on the map: a coloured circle with a few characters in it. Each look is drawn once and then only copied, so
// that hundreds of them keep up with the screen.
import type { Layer } from './BaseMap.svelte';
import { discRadius } from './points';
import { type Coordinates, type Spot, toWorld } from './view';

export interface Disc {
  text: string;
  fill: string; // '' makes it hollow
  ink: string;
  ring?: string | undefined; // a colour around it
  mark?: 'up' | 'down' | undefined; // a small arrow on the ring, since colour alone says nothing to some eyes
  faint?: boolean | undefined;
}

interface Look {
  before?: readonly (Disc | undefined)[]; // what they were, while they change
  part?: number; // how far they have changed, 0 to 1
  at?: number | undefined; // the one that has the keyboard or the pointer
  chosen?: number | undefined;
  outline: string; // between disc and ground
  focus: string;
}

const sprites = new Map<string, HTMLCanvasElement>();

/** A layer of discs; points without one are left out. */
export function discLayer(points: readonly Coordinates[], spacing: number, discs: readonly (Disc | undefined)[], look: Look): Layer {
  const worlds = points.map(toWorld);
  return (context, view) => {
    const radius = Math.round(discRadius(spacing, view) * 2) / 2;
    const margin = radius + 8;
    const ratio = context.getTransform().a; // pixels of the canvas to one of the page
    const draw = (disc: Disc | undefined, spot: Spot, alpha: number) => {
      if (!disc || alpha <= 0) return;
      const sprite = spriteOf(disc, radius, look.outline, ratio);
      const size = sprite.width / ratio;
      context.globalAlpha = alpha * (disc.faint ? 0.45 : 1);
      context.drawImage(sprite, spot.x - size / 2, spot.y - size / 2, size, size);
    };
    for (const [i, world] of worlds.entries()) {
      const spot = view.place(world);
      if (!view.shows(spot, -margin)) continue;
      const before = look.before?.[i];
      const part = look.part ?? 1;
      if (part < 1 && before && before !== discs[i]) draw(before, spot, 1);
      draw(discs[i], spot, before === discs[i] ? 1 : part);
    }
    context.globalAlpha = 1;
    for (const i of new Set([look.chosen, look.at])) {
      const world = i === undefined ? undefined : worlds[i];
      if (!world) continue;
      const spot = view.place(world);
      context.strokeStyle = look.focus;
      context.lineWidth = i === look.chosen ? 3 : 2;
      context.beginPath();
      context.arc(spot.x, spot.y, radius + 5, 0, 2 * Math.PI);
      context.stroke();
    }
  };
}

function spriteOf(disc: Disc, radius: number, outline: string, ratio: number): HTMLCanvasElement {
  const key = [disc.text, disc.fill, disc.ink, disc.ring, disc.mark, radius, outline, ratio].join();
  const known = sprites.get(key);
  if (known) return known;
  if (sprites.size > 2000) sprites.clear(); // zooming makes many sizes
  const made = drawSprite(disc, radius, outline, ratio);
  sprites.set(key, made);
  return made;
}

function drawSprite(disc: Disc, radius: number, outline: string, ratio: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const half = Math.ceil(radius + 8);
  canvas.width = canvas.height = Math.round(half * 2 * ratio);
  const c = canvas.getContext('2d');
  if (!c) return canvas;
  c.scale(ratio, ratio);
  c.translate(half, half);
  const circle = (r: number) => {
    c.beginPath();
    c.arc(0, 0, r, 0, 2 * Math.PI);
  };
  if (disc.ring) {
    circle(radius + 3.5);
    c.fillStyle = disc.ring;
    c.fill();
  }
  circle(radius + 1.5);
  c.fillStyle = outline;
  c.fill();
  circle(radius);
  if (disc.fill) {
    c.fillStyle = disc.fill;
    c.fill();
  } else {
    circle(radius - 1);
    c.strokeStyle = disc.ink;
    c.lineWidth = 1.5;
    c.setLineDash([3, 2.5]);
    c.stroke();
    c.setLineDash([]);
  }
  if (disc.ring && disc.mark) drawMark(c, disc.mark, radius, disc.ring);
  c.fillStyle = disc.ink;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.font = `600 ${fontSize(disc.text, radius)}px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif`;
  c.fillText(disc.text, 0, 0.5);
  return canvas;
}

const fontSize = (text: string, radius: number): number => Math.max(8, Math.round(radius * ([1.1, 1.1, 1, 0.8][text.length] ?? 0.64)));

// An arrow head that stands over the rim, at the top for better and at the foot for worse.
function drawMark(c: CanvasRenderingContext2D, mark: 'up' | 'down', radius: number, colour: string): void {
  const sign = mark === 'up' ? -1 : 1;
  c.beginPath();
  c.moveTo(0, sign * (radius + 7.5));
  c.lineTo(-4.5, sign * (radius + 1));
  c.lineTo(4.5, sign * (radius + 1));
  c.closePath();
  c.fillStyle = colour;
  c.fill();
}
