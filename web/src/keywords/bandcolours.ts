// The six bands have the six colours of the rank scale.
import { bands as scale } from '../ui/rankscale';
import { bands, type BandId } from './bands';

export const colourOf = (id: BandId): string => scale()[bands.findIndex((band) => band.id === id)]?.fill ?? '';
