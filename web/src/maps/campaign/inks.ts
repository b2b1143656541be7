// Colours that are drawn on the map's canvas, where style sheets do not reach.
import { preferences } from '../../app/preferences.svelte';
import { printing } from '../../ui/printing.svelte';

export interface MapInks {
  better: string;
  worse: string;
  plain: string;
  outline: string;
  focus: string;
  text: string;
  halo: string;
  place: string;
}

const light: MapInks = { better: '#0f766e', worse: '#c2410c', plain: '#616d6c', outline: '#ffffff', focus: '#16201f', text: '#16201f', halo: '#f4f6f5', place: '#0f766e' };
const dark: MapInks = { better: '#2dd4bf', worse: '#fb923c', plain: '#93a09e', outline: '#0f1514', focus: '#e8eeed', text: '#e8eeed', halo: '#121a19', place: '#2dd4bf' };

export const mapInks = (): MapInks => (preferences.dark && !printing.now ? dark : light);
