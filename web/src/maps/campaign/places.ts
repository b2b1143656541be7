// Businesses on the map: a dot where each is, a pin and a name for those that are looked at.
import type { Layer } from '../../ui/map/BaseMap.svelte';
import { discRadius } from '../../ui/map/points';
import { type Coordinates, type Spot, toWorld } from '../../ui/map/view';
import type { MapInks } from './inks';

export interface Place {
  name: string;
  at: Coordinates;
  own: boolean; // the campaign's
  named: boolean; // with a pin and its name: one's own, and the one that is shown
}

/** Dots of the other businesses; they lie under the discs. */
export function dotLayer(places: readonly Place[], inks: MapInks): Layer {
  const worlds = places.filter((p) => !p.named).map((p) => toWorld(p.at));
  return (context, view) => {
    for (const world of worlds) {
      const { x, y } = view.place(world);
      context.beginPath();
      context.arc(x, y, 3.5, 0, 2 * Math.PI);
      context.fillStyle = inks.plain;
      context.strokeStyle = inks.outline;
      context.lineWidth = 2;
      context.stroke();
      context.fill();
    }
  };
}

/** A pin for each business that is named: on its place, or on the rim of the disc that lies there; and its name below
 *  the discs where they leave room and no other name is in the way. */
export function pinLayer(places: readonly Place[], points: readonly Coordinates[], spacing: number, inks: MapInks): Layer {
  const worlds = points.map(toWorld);
  const named = places.filter((p) => p.named).map((place) => ({ place, world: toWorld(place.at), under: nearest(worlds, toWorld(place.at)) }));
  return (context, view) => {
    const radius = discRadius(spacing, view);
    const room = spacing * view.worldSize - 2 * radius >= 20;
    const taken: { left: number; right: number; y: number }[] = [];
    context.font = "600 12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (const { place, world, under } of named) {
      const { x, y } = view.place(world);
      if (room) {
        const half = context.measureText(place.name).width / 2;
        const box = { left: x - half, right: x + half, y: y + radius + 12 };
        if (!taken.some((t) => Math.abs(t.y - box.y) < 16 && t.left < box.right && t.right > box.left)) {
          taken.push(box);
          context.strokeStyle = inks.halo;
          context.lineWidth = 4;
          context.strokeText(place.name, x, box.y);
          context.fillStyle = inks.text;
          context.fillText(place.name, x, box.y);
        }
      }
      const disc = under && view.place(under);
      const covered = disc && Math.hypot(disc.x - x, disc.y - y) < radius;
      // The rim's top belongs to the arrow that tells a change.
      const tip = covered ? { x: disc.x + radius * 0.7, y: disc.y - radius * 0.7 } : { x, y };
      drawPin(context, tip, Math.min(Math.max(radius / 14, 0.75), 1.2), place.own ? inks.place : inks.text, inks.outline);
    }
  };
}

const apart = (a: Spot, b: Spot): number => Math.hypot(a.x - b.x, a.y - b.y);

const nearest = (worlds: readonly Spot[], to: Spot): Spot | undefined =>
  worlds.reduce<Spot | undefined>((best, world) => (best && apart(best, to) <= apart(world, to) ? best : world), undefined);

function drawPin(context: CanvasRenderingContext2D, { x, y }: Spot, size: number, fill: string, outline: string): void {
  context.beginPath();
  context.moveTo(x, y);
  context.arc(x, y - 14 * size, 7 * size, 0.8 * Math.PI, 0.2 * Math.PI);
  context.closePath();
  context.strokeStyle = outline;
  context.lineWidth = 3;
  context.stroke();
  context.fillStyle = fill;
  context.fill();
  context.beginPath();
  context.arc(x, y - 14 * size, 2.5 * size, 0, 2 * Math.PI);
  context.fillStyle = outline;
  context.fill();
}
