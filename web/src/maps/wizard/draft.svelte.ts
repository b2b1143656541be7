// A campaign that is being made or changed.
import { Camera } from '../../ui/map/camera.svelte';
import type { Coordinates } from '../../ui/map/view';
import { distanceTo, type Grid, pointsOf } from './grid';
import { reportsAMonth, type Schedule } from './schedule';

export const mostKeywords = 100;
const longestKeyword = 255;

export interface Place {
  placeId: string;
  name: string;
  address?: string | undefined;
  coordinates: Coordinates;
  category?: string | undefined;
}

export class Draft {
  readonly camera = new Camera(); // of the map it is drawn on
  place = $state.raw<Place | undefined>();
  name = $state('');
  grid = $state.raw<Grid | undefined>();
  own = $state.raw<readonly Coordinates[]>([]); // points of a campaign that has no grid
  off = $state.raw<ReadonlySet<number>>(new Set()); // points that are switched off, by index
  keywords = $state.raw<readonly string[]>([]);
  schedule = $state.raw<Schedule | undefined>();

  readonly points = $derived(this.grid ? pointsOf(this.grid) : this.own);
  readonly enabled = $derived(this.points.length - this.off.size);
  readonly cost = $derived(this.enabled * this.keywords.length); // credits a report
  readonly costAMonth = $derived(Math.round(this.cost * reportsAMonth(this.schedule)));

  choose(place: Place): void {
    this.place = place;
    this.name = place.name;
    this.off = new Set();
    this.grid = { side: this.grid?.side ?? 5, distance: this.grid?.distance ?? 1.5, unit: this.grid?.unit ?? 'KM', centre: place.coordinates };
  }

  resize(change: Partial<Grid>): void {
    if (!this.grid) return;
    if (change.side && change.side !== this.grid.side) this.off = new Set();
    this.grid = { ...this.grid, ...change };
  }

  /** The eastern edge is dragged to a place; the distance follows, as round as the eye on the map allows. */
  reach(to: Coordinates, metresPerPixel: number): void {
    if (this.grid) this.resize({ distance: distanceTo(to, this.grid, (2 * metresPerPixel) / 1000) });
  }

  toggle(index: number): void {
    const next = new Set(this.off);
    if (!next.delete(index) && this.enabled > 1) next.add(index);
    this.off = next;
  }

  /** Adds what is not there yet, one a line or between commas; tells what could not be taken. */
  addKeywords(text: string): string {
    const have = new Set(this.keywords.map((k) => k.toLowerCase()));
    const next = [...this.keywords];
    let refused = '';
    for (const word of text.split(/[\n,;]+/).map((w) => w.trim().replaceAll(/\s+/g, ' ')).filter(Boolean)) {
      if (have.has(word.toLowerCase())) continue;
      if (word.length > longestKeyword) refused = `“${word.slice(0, 30)}…” has more than ${longestKeyword} characters.`;
      else if (next.length >= mostKeywords) refused = `A campaign has at most ${mostKeywords} keywords.`;
      else {
        have.add(word.toLowerCase());
        next.push(word);
      }
    }
    this.keywords = next;
    return refused;
  }

  removeKeyword(word: string): void {
    this.keywords = this.keywords.filter((k) => k !== word);
  }

  /** The area as the API takes it: a grid, or points when some are switched off. */
  area() {
    if (this.grid && this.off.size === 0) {
      const { side, distance, unit, centre } = this.grid;
      return { gridSettings: { template: `${side}x${side}`, unit, distance, basePoint: centre } };
    }
    return { points: this.points.map((coordinates, index) => ({ index, isEnabled: !this.off.has(index), coordinates })) };
  }
}
