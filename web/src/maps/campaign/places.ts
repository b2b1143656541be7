// Businesses on the map: a dot where each is, with its name where there is room for it.
import type { Layer } from '../../ui/map/BaseMap.svelte';
import { discRadius } from '../../ui/map/points';
import type { Coordinates } from '../../ui/map/view';
import type { MapInks } from './inks';

export interface Place {
  name: string;
  at: Coordinates;
  named: boolean; // always with its name: one's own, and the one that is shown
}

/** Dots of businesses; they lie under the discs. */
export function dotLayer(places: readonly Place[], inks: MapInks): Layer {
  return (context, view) => {
    for (const place of places) {
      const { x, y } = view.project(place.at);
      context.beginPath();
      context.arc(x, y, place.named ? 6 : 3.5, 0, 2 * Math.PI);
      context.fillStyle = place.named ? inks.place : inks.plain;
      context.strokeStyle = inks.outline;
      context.lineWidth = 2;
      context.stroke();
      context.fill();
    }
  };
}

/** Names below the discs, none over another; a pin where discs leave no room for a name. */
export function nameLayer(places: readonly Place[], spacing: number, inks: MapInks): Layer {
  return (context, view) => {
    const radius = discRadius(spacing, view);
    const below = radius + 12;
    const room = spacing * view.worldSize - 2 * radius >= 20;
    const taken: { left: number; right: number; y: number }[] = [];
    context.font = "600 12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (const place of places.filter((p) => p.named)) {
      const { x, y } = view.project(place.at);
      if (!room) {
        drawPin(context, x, y - radius + 3, inks);
        continue;
      }
      const half = context.measureText(place.name).width / 2;
      const box = { left: x - half, right: x + half, y: y + below };
      if (taken.some((t) => Math.abs(t.y - box.y) < 16 && t.left < box.right && t.right > box.left)) continue;
      taken.push(box);
      context.strokeStyle = inks.halo;
      context.lineWidth = 4;
      context.strokeText(place.name, x, box.y);
      context.fillStyle = inks.text;
      context.fillText(place.name, x, box.y);
    }
  };
}

function drawPin(context: CanvasRenderingContext2D, x: number, y: number, inks: MapInks): void {
  context.beginPath();
  context.moveTo(x, y);
  context.arc(x, y - 12, 6, 0.8 * Math.PI, 0.2 * Math.PI);
  context.closePath();
  context.strokeStyle = inks.outline;
  context.lineWidth = 3;
  context.stroke();
  context.fillStyle = inks.place;
  context.fill();
  context.beginPath();
  context.arc(x, y - 12, 2, 0, 2 * Math.PI);
  context.fillStyle = inks.outline;
  context.fill();
}
