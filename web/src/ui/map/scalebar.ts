// A scale bar that is drawn, for pictures and paper; on the screen it is HTML.
export interface ScaleBar {
  text: string;
  pixels: number;
}

/** Draws the bar so that it begins at a spot, with a halo that sets it off from the map. */
export function drawScaleBar(c: CanvasRenderingContext2D, bar: ScaleBar, left: number, foot: number, colours: { ink: string; halo: string }): void {
  const right = left + bar.pixels;
  c.font = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
  c.textAlign = 'center';
  c.textBaseline = 'alphabetic';
  c.lineJoin = 'round';
  for (const [colour, wide] of [[colours.halo, 4.5], [colours.ink, 1.5]] as const) {
    c.strokeStyle = colour;
    c.lineWidth = wide;
    c.beginPath();
    c.moveTo(left, foot - 8);
    c.lineTo(left, foot);
    c.lineTo(right, foot);
    c.lineTo(right, foot - 8);
    c.stroke();
  }
  c.strokeStyle = colours.halo;
  c.lineWidth = 3;
  c.strokeText(bar.text, (left + right) / 2, foot - 5);
  c.fillStyle = colours.ink;
  c.fillText(bar.text, (left + right) / 2, foot - 5);
}
