// What is used of MapLibre, so that the rest can be left out of what is loaded; scripts/maplibre.ts builds it.
import 'maplibre-gl/dist/maplibre-gl.css';
import { addProtocol, Map, prewarm, setWorkerUrl } from 'maplibre-gl';
import worker from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';

setWorkerUrl(worker);
prewarm(); // its workers stay for the next map: started anew with each one, most would be fetched in vain

export { addProtocol, Map };
