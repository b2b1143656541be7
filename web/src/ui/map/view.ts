// What part of the world a map shows, in Web Mercator: the world is a square from (0, 0) in the north-west to (1, 1).
export interface Coordinates {
  lat: number;
  lng: number;
}

/** A place on the map's pane, in pixels from its upper left corner. */
export interface Spot {
  x: number;
  y: number;
}

export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** What stays free around what is fitted, in pixels. */
export interface Margin {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** Room for discs at the edge and for what floats: BaseMap's buttons stand at the right of a wide pane, at the foot of a tall one. */
export const marginOf = (width: number, height: number): Margin =>
  width > height ? { top: 36, right: 80, bottom: 56, left: 36 } : { top: 36, right: 36, bottom: 100, left: 36 };

const widest = 2; // zooms
const closest = 20;
const equator = 40_075_016.686; // metres

export function toWorld({ lat, lng }: Coordinates): Spot {
  const sine = Math.sin((Math.min(Math.max(lat, -85), 85) * Math.PI) / 180);
  return { x: lng / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

export function fromWorld({ x, y }: Spot): Coordinates {
  return { lat: (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI, lng: ((((x % 1) + 1) % 1) - 0.5) * 360 };
}

/** A camera at rest. It never changes; moving makes another one. */
export class View {
  constructor(
    readonly x = 0.5, // of the centre, in the world
    readonly y = 0.5,
    readonly zoom = widest, // as MapLibre counts it: the world is 512 pixels wide at 0
    readonly width = 0, // of the pane, in pixels
    readonly height = 0,
  ) {}

  get worldSize(): number {
    return 512 * 2 ** this.zoom;
  }

  get centre(): Coordinates {
    return fromWorld(this);
  }

  get metresPerPixel(): number {
    return (equator * Math.cos((this.centre.lat * Math.PI) / 180)) / this.worldSize;
  }

  project(at: Coordinates): Spot {
    return this.place(toWorld(at));
  }

  /** Where a place of the world stands on the pane, the nearest time that the world comes by. */
  place(world: Spot): Spot {
    const across = world.x - this.x;
    return {
      x: this.width / 2 + (across - Math.round(across)) * this.worldSize,
      y: this.height / 2 + (world.y - this.y) * this.worldSize,
    };
  }

  unproject(spot: Spot): Coordinates {
    return fromWorld(this.worldAt(spot));
  }

  worldAt(spot: Spot): Spot {
    return { x: this.x + (spot.x - this.width / 2) / this.worldSize, y: this.y + (spot.y - this.height / 2) / this.worldSize };
  }

  shows(spot: Spot, margin = 0): boolean {
    return spot.x >= margin && spot.y >= margin && spot.x <= this.width - margin && spot.y <= this.height - margin;
  }

  resized(width: number, height: number): View {
    return this.moved(this.x, this.y, this.zoom, width, height);
  }

  panned(dx: number, dy: number): View {
    return this.moved(this.x - dx / this.worldSize, this.y - dy / this.worldSize, this.zoom);
  }

  /** Closer or further away, while the world stays where it is under a spot of the pane. */
  zoomed(by: number, around: Spot = { x: this.width / 2, y: this.height / 2 }): View {
    const zoom = Math.min(Math.max(this.zoom + by, widest), closest);
    const kept = this.worldAt(around);
    const size = 512 * 2 ** zoom;
    return this.moved(kept.x - (around.x - this.width / 2) / size, kept.y - (around.y - this.height / 2) / size, zoom);
  }

  /** As close as it can be while it shows all of some bounds, with margins in pixels; small ones from a street away. */
  fitted(bounds: Bounds, margin: Margin): View {
    const { x: left, y: top } = toWorld({ lat: bounds.north, lng: bounds.west });
    const { x: right, y: bottom } = toWorld({ lat: bounds.south, lng: bounds.east });
    // A small pane has small margins.
    const free = { top: Math.min(margin.top, this.height / 8), right: Math.min(margin.right, this.width / 8), bottom: Math.min(margin.bottom, this.height / 6), left: Math.min(margin.left, this.width / 8) };
    const across = (this.width - free.left - free.right) / Math.max(right - left, 1e-9);
    const down = (this.height - free.top - free.bottom) / Math.max(bottom - top, 1e-9);
    const zoom = Math.min(Math.max(Math.log2(Math.min(across, down) / 512), widest), 16);
    const pixel = 1 / (512 * 2 ** zoom);
    return this.moved((left + right + (free.right - free.left) * pixel) / 2, (top + bottom + (free.bottom - free.top) * pixel) / 2, zoom);
  }

  /** Part of the way to another view. */
  towards(other: View, part: number): View {
    const mix = (a: number, b: number) => a + (b - a) * part;
    return this.moved(mix(this.x, other.x), mix(this.y, other.y), mix(this.zoom, other.zoom));
  }

  // The poles stay outside the pane.
  private moved(x: number, y: number, zoom: number, width = this.width, height = this.height): View {
    const half = Math.min(height / 2 / (512 * 2 ** zoom), 0.5);
    return new View(((x % 1) + 1) % 1, Math.min(Math.max(y, half), 1 - half), zoom, width, height);
  }
}

/** The bounds of some points; those beyond the date line count on from it. */
export function boundsOf(points: readonly Coordinates[]): Bounds | undefined {
  const first = points[0];
  if (!first) return undefined;
  const lngs = points.map((p) => first.lng + ((((p.lng - first.lng + 180) % 360) + 360) % 360) - 180);
  const lats = points.map((p) => p.lat);
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) };
}

/** The largest of 1, 2, 5, 10, 20 … and their like below 1 that is not larger than a length. */
export const roundBelow = (length: number): number => {
  const power = 10 ** Math.floor(Math.log10(length));
  return [5, 2, 1].map((n) => n * power).find((n) => n <= length) ?? power;
};

/** The round length that a scale bar of at most some pixels can show, and the pixels that it takes. */
export function scaleBar(view: View, most: number): { metres: number; pixels: number } {
  const metres = roundBelow(most * view.metresPerPixel);
  return { metres, pixels: metres / view.metresPerPixel };
}
