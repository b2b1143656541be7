// Where a pin is likely to belong: near the account's other locations in the city, else in the country.
import type { Bounds, Coordinates } from '../ui/map/view';
import { placesOf } from './countryplaces';

/** A location whose pin is known. */
export interface Pinned {
  city: string;
  country: string;
  at: Coordinates;
}

const town = 0.05; // degrees shown around a pin, at least
const region = 4; // degrees shown around the places of a country
const farFromCity = 50; // km from which a pin is in doubt
const farFromCountry = 2500; // km from its places: more than those of any country are apart from its borders
const degree = 111.2; // km

const sameText = (a: string, b: string) => a.trim().localeCompare(b.trim(), 'en', { sensitivity: 'base' }) === 0;

const inCity = (own: readonly Pinned[], city: string, country: string) => own.filter((l) => l.country === country && sameText(l.city, city));

/** What a map shows before there is a pin; undefined for a country that is not known. */
export function likelyBounds(own: readonly Pinned[], city: string, country: string): Bounds | undefined {
  const inTown = inCity(own, city, country);
  const pins = inTown.length > 0 ? inTown : own.filter((l) => l.country === country);
  if (pins.length > 0) return boundsOf(pins.map((l) => l.at), town);
  const whole = boundsOf(placesOf(country), region);
  return whole && whole.east - whole.west > 180 ? boundsOf(placesOf(country).slice(0, 1), region) : whole; // on both sides of the date line
}

function boundsOf(points: readonly Coordinates[], around: number): Bounds | undefined {
  if (points.length === 0) return undefined;
  const [lats, lngs] = [points.map((p) => p.lat), points.map((p) => p.lng)];
  return { south: Math.min(...lats) - around, north: Math.max(...lats) + around, west: Math.min(...lngs) - around, east: Math.max(...lngs) + around };
}

/** Why a pin is in doubt, or ''. */
export function doubt(at: Coordinates, own: readonly Pinned[], city: string, country: string): string {
  const fromCity = nearest(at, inCity(own, city, country).map((l) => l.at));
  const fromCountry = nearest(at, placesOf(country));
  const known = fromCity < Infinity;
  const [away, limit, what] = known ? [fromCity, farFromCity, `your other locations in ${city.trim()}`] : [fromCountry, farFromCountry, 'the country of the address'];
  if (away === Infinity || away <= limit) return '';
  return `The pin is ${Math.round(away).toLocaleString('en')} km from ${what}. Look whether a minus sign is missing, or latitude and longitude are the wrong way round.`;
}

const nearest = (at: Coordinates, points: readonly Coordinates[]): number => Math.min(...points.map((p) => kilometres(at, p)));

function kilometres(a: Coordinates, b: Coordinates): number {
  const east = Math.abs(a.lng - b.lng);
  return degree * Math.hypot(a.lat - b.lat, Math.min(east, 360 - east) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180));
}
