// The base map, drawn by MapLibre behind everything else. It is loaded only where the program has one, moves with
// the camera and takes no input: a map is whole without it.
import type { Map as MapLibre } from 'maplibre-gl';
import type { Start } from '../../api/start.svelte';
import type { View } from './view';

export type TilesState = 'waiting' | 'late' | 'shown' | 'missing';

export interface Tiles {
  follow(view: View): void;
  /** The picture as it is now; it must be used at once. */
  picture(): HTMLCanvasElement | undefined;
  remove(): void;
}

const patience = 6000; // milliseconds until a map that has not come is said to be late

/** Starts the base map in a box. It tells how it fares; a map that comes late is still shown. */
export function startTiles(box: HTMLElement, source: Start['map'], dark: boolean, view: () => View, tell: (state: TilesState) => void): Tiles {
  let map: MapLibre | undefined;
  let removed = false;
  let shown = false;
  let size = view();
  const style = (dark && source.dark_url) || source.url || '';
  const timer = setTimeout(() => !shown && tell('late'), patience);

  const fail = () => {
    clearTimeout(timer);
    if (removed || shown) return;
    tell('missing');
    map?.remove();
    map = undefined;
  };

  const start = async () => {
    const library = await import('./maplibre');
    if (source.kind === 'pmtiles') library.addProtocol('pmtiles', (await import('./pmtiles')).readTile);
    if (removed) return;
    const { centre, zoom } = view();
    map = new library.Map({
      container: box,
      style: new URL(style, location.origin).href,
      center: centre,
      zoom,
      interactive: false,
      trackResize: false,
      attributionControl: { compact: false },
      fadeDuration: 0,
    });
    map.once('load', () => {
      shown = true;
      clearTimeout(timer);
      tell('shown');
    });
    // Before the style is there nothing can be shown; a tile that is missing later leaves a gap only.
    map.on('error', () => !map?.isStyleLoaded() && !map?.getStyle()?.layers?.length && fail());
  };
  start().catch(fail);

  return {
    follow(to) {
      if (!map) return;
      if (to.width !== size.width || to.height !== size.height) map.resize();
      size = to;
      map.jumpTo({ center: to.centre, zoom: to.zoom });
      if (shown) map.redraw(); // in the same frame as what is drawn over it
    },
    picture() {
      if (!map || !shown) return undefined;
      map.redraw();
      return map.getCanvas();
    },
    remove() {
      removed = true;
      clearTimeout(timer);
      map?.remove();
      map = undefined;
    },
  };
}
