// The plain ground under a map without tiles: a faint net of lines that goes along with the world.
import type { View } from './view';

const inks = { light: '#aab7b3', dark: '#3d4d4a' };

export function drawGround(context: CanvasRenderingContext2D, view: View, dark: boolean): void {
  const part = view.zoom - Math.floor(view.zoom);
  context.strokeStyle = dark ? inks.dark : inks.light;
  context.lineWidth = 1;
  // The finer net fades in while one comes closer, until it has become the coarse one.
  for (const { cells, alpha } of [{ cells: 2 ** (Math.floor(view.zoom) + 2), alpha: 0.5 }, { cells: 2 ** (Math.floor(view.zoom) + 3), alpha: 0.5 * part }]) {
    const step = view.worldSize / cells;
    const first = view.place({ x: Math.ceil((view.x - view.width / 2 / view.worldSize) * cells) / cells, y: Math.ceil((view.y - view.height / 2 / view.worldSize) * cells) / cells });
    context.globalAlpha = alpha;
    context.beginPath();
    for (let x = first.x; x < view.width; x += step) {
      context.moveTo(Math.round(x) + 0.5, 0);
      context.lineTo(Math.round(x) + 0.5, view.height);
    }
    for (let y = first.y; y < view.height; y += step) {
      context.moveTo(0, Math.round(y) + 0.5);
      context.lineTo(view.width, Math.round(y) + 0.5);
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}
