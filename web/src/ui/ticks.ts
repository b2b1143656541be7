// Where an axis of figures is marked: round values, at least three, and far enough apart to be read.
const apart = 16; // pixels, at least

/** Marks from low to high on so many pixels. */
export function ticks(low: number, high: number, pixels: number): number[] {
  const least = (apart / pixels) * (high - low);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 2.5, 5].find((n) => n * power >= least) ?? 10) * power;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Marks of positions, which begin at 1: 1, 5, 10 … as people count them. */
export function positionTicks(high: number, pixels: number): number[] {
  const least = (apart / pixels) * (high - 1);
  const step = least <= 1 ? 1 : ([3, 5, 10, 20, 30, 50, 100].find((n) => n - 1 >= least) ?? high);
  const rest = Array.from({ length: Math.floor(high / step) }, (_, i) => (i + 1) * step);
  return step === 1 ? rest : [1, ...rest];
}
