// Makes the map styles for tiles that the program serves itself, in Protomaps' schema. They name nothing beyond those
// tiles: without glyphs the map draws its labels with the browser's own fonts, and what needs a picture is left out.
import { layers, namedFlavor } from '@protomaps/basemaps';
import { mkdir, writeFile } from 'node:fs/promises';

const folder = new URL('../dist/map/', import.meta.url);
const attribution = '<a href="https://protomaps.com">Protomaps</a> © <a href="https://openstreetmap.org/copyright">OpenStreetMap</a>';
const drawn = ({ layout }) => layout?.['icon-image'] === undefined || layout['text-field'] !== undefined;
const withoutIcon = (layer) => {
  const kept = Object.entries(layer.layout ?? {}).filter(([name]) => !name.startsWith('icon-'));
  return layer.type === 'symbol' ? { ...layer, layout: Object.fromEntries(kept) } : layer;
};

await mkdir(folder, { recursive: true });
for (const theme of ['light', 'dark']) {
  const style = {
    version: 8,
    name: `Trigpoint ${theme}`,
    sources: { tiles: { type: 'vector', url: 'pmtiles:///map/tiles.pmtiles', attribution } },
    // Places of interest and road shields would compete with the ranks.
    layers: layers('tiles', namedFlavor(theme), { lang: 'en' })
      .filter((layer) => !/^(pois|roads_shields|roads_oneway)$/.test(layer.id) && drawn(layer))
      .map(withoutIcon),
  };
  await writeFile(new URL(`${theme}.json`, folder), JSON.stringify(style));
}
