// The six bands have the six colours of the rank scale.
import { preferences } from '../app/preferences.svelte';
import { bands, type BandId } from './bands';

const palettes = {
  default: ['#16a34a', '#84cc16', '#f59e0b', '#ea580c', '#b91c1c', '#64706f'],
  'blue-orange': ['#1d4ed8', '#3b82f6', '#93c5fd', '#fdba74', '#ea580c', '#64706f'],
};

export const colourOf = (id: BandId): string => palettes[preferences.palette][bands.findIndex((band) => band.id === id)] ?? '';
