// The points of a grid as the program lays them out, so that they can be seen before a campaign is made.
import { type Bounds, type Coordinates, roundBelow } from '../../ui/map/view';

export interface Grid {
  side: number; // odd, 3 to 21
  distance: number; // from the centre to the outermost row, in the unit
  unit: 'KM' | 'MI';
  centre: Coordinates;
}

export const sides = [3, 5, 7, 9, 11, 13, 15, 17, 19, 21] as const;
export const leastDistance = 0.05;
export const mostDistance = 160;

const earth = 6371; // km, as the API's document says
const mile = 1.609344;
const radians = Math.PI / 180;

export const kilometres = (grid: Grid): number => grid.distance * (grid.unit === 'MI' ? mile : 1);

/** Index 0 is the south-west corner, then eastward, rows northward. */
export function pointsOf(grid: Grid): Coordinates[] {
  const reach = kilometres(grid);
  const step = (2 * reach) / (grid.side - 1);
  return Array.from({ length: grid.side * grid.side }, (_, i) =>
    destination(grid.centre, (i % grid.side) * step - reach, Math.floor(i / grid.side) * step - reach),
  );
}

/** The point that lies so many km east and north of another, along a great circle. */
export function destination(from: Coordinates, east: number, north: number): Coordinates {
  const angle = Math.hypot(east, north) / earth;
  if (angle === 0) return from;
  const bearing = Math.atan2(east, north);
  const lat = from.lat * radians;
  const there = Math.asin(Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(bearing));
  const lng = from.lng * radians + Math.atan2(Math.sin(bearing) * Math.sin(angle) * Math.cos(lat), Math.cos(angle) - Math.sin(lat) * Math.sin(there));
  return { lat: there / radians, lng: ((lng / radians + 540) % 360) - 180 };
}

export const town = 2; // km from its middle to its edge, about

/** A square around a place, reaching so many km to each side. */
export function boundsAround(at: Coordinates, reach: number): Bounds {
  const [southWest, northEast] = [destination(at, -reach, -reach), destination(at, reach, reach)];
  return { west: southWest.lng, south: southWest.lat, east: northEast.lng, north: northEast.lat };
}

/** Length of the great circle between two points, in km. */
export function between(a: Coordinates, b: Coordinates): number {
  const lat = ((b.lat - a.lat) * radians) / 2;
  const lng = ((b.lng - a.lng) * radians) / 2;
  const half = Math.sin(lat) ** 2 + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(lng) ** 2;
  return 2 * earth * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** How far a grid reaches whose eastern edge is at a place, in its unit, in round steps of at most so many km. */
export function distanceTo(to: Coordinates, { centre, unit }: Grid, stepKm: number): number {
  const perUnit = unit === 'MI' ? mile : 1;
  const west = ((to.lng - centre.lng + 540) % 360) - 180 < 0; // past the centre
  const distance = west ? 0 : between(centre, { lat: centre.lat, lng: to.lng }) / perUnit;
  const step = roundBelow(stepKm / perUnit);
  const rounded = Number((Math.round(distance / step) * step).toFixed(3));
  return Math.min(mostDistance, Math.max(leastDistance, rounded));
}

/** The grid that some points were laid out by, if they were: a campaign whose points were switched off knows only them. */
export function gridOf(points: readonly Coordinates[]): Grid | undefined {
  const side = Math.sqrt(points.length);
  const centre = points[(points.length - 1) / 2];
  const west = points[((side - 1) / 2) * side];
  if (!Number.isInteger(side) || side % 2 === 0 || side < 3 || !centre || !west) return undefined;
  const grid: Grid = { side, distance: Number(between(centre, west).toFixed(4)), unit: 'KM', centre };
  const same = pointsOf(grid).every((p, i) => between(p, points[i] as Coordinates) < 0.005);
  return same ? grid : undefined;
}
