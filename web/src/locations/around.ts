// Where a pin is likely to belong: near the account's other locations in the city, else in the country.
import type { Bounds, Coordinates } from '../ui/map/view';

/** A location whose pin is known. */
export interface Pinned {
  city: string;
  country: string;
  at: Coordinates;
}

const town = 0.05; // degrees shown around a pin, at least
const far = 50; // km from which a pin is in doubt
const degree = 111.2; // km

const sameText = (a: string, b: string) => a.trim().localeCompare(b.trim(), 'en', { sensitivity: 'base' }) === 0;

const inCity = (own: readonly Pinned[], city: string, country: string) => own.filter((l) => l.country === country && sameText(l.city, city));

/** What a map shows before there is a pin; undefined when nothing is known of the country. */
export function likelyBounds(own: readonly Pinned[], city: string, country: string): Bounds | undefined {
  const inTown = inCity(own, city, country);
  const pins = (inTown.length > 0 ? inTown : own.filter((l) => l.country === country)).map((l) => l.at);
  if (pins.length === 0) return undefined;
  const [lats, lngs] = [pins.map((p) => p.lat), pins.map((p) => p.lng)];
  return { south: Math.min(...lats) - town, north: Math.max(...lats) + town, west: Math.min(...lngs) - town, east: Math.max(...lngs) + town };
}

/** Why a pin is in doubt, or ''. */
export function doubt(at: Coordinates, own: readonly Pinned[], city: string, country: string): string {
  const away = Math.min(...inCity(own, city, country).map((l) => kilometres(at, l.at)));
  if (!Number.isFinite(away) || away <= far) return '';
  return `The pin is ${Math.round(away).toLocaleString('en')} km from your other locations in ${city.trim()}. Look whether a minus sign is missing, or latitude and longitude are the wrong way round.`;
}

function kilometres(a: Coordinates, b: Coordinates): number {
  const east = Math.abs(a.lng - b.lng);
  return degree * Math.hypot(a.lat - b.lat, Math.min(east, 360 - east) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180));
}
