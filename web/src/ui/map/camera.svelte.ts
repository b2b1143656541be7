// A camera that maps share: whoever moves it moves all of them.
import { type Bounds, type Coordinates, marginOf, type Spot, View } from './view';

const still = matchMedia('(prefers-reduced-motion: reduce)');

export class Camera {
  view = $state.raw(new View());
  private fitting: Bounds | undefined; // what it keeps in sight until it is moved by hand
  private frame = 0;

  /** Tells the size of the pane. What was to be in sight stays there. */
  resize(width: number, height: number): void {
    if (width === this.view.width && height === this.view.height) return;
    this.stop();
    this.view = this.view.resized(width, height);
    if (this.fitting) this.view = this.fitted(this.fitting);
  }

  /** Shows all of some bounds. Before the pane has a size it is remembered. */
  fit(bounds: Bounds, options: { glide?: boolean } = {}): void {
    this.fitting = bounds;
    if (this.view.width === 0) return;
    const goal = this.fitted(bounds);
    if (options.glide) this.glide(goal);
    else {
      this.stop();
      this.view = goal;
    }
  }

  /** Stays where it is, whatever was to be kept in sight. */
  rest(): void {
    this.byHand(this.view);
  }

  panBy(dx: number, dy: number): void {
    this.byHand(this.view.panned(dx, dy));
  }

  zoomBy(by: number, around?: Spot): void {
    this.byHand(this.view.zoomed(by, around));
  }

  glideZoom(by: number, around?: Spot): void {
    this.fitting = undefined;
    this.glide(this.view.zoomed(by, around));
  }

  /** Moves just so far that a place is in sight. */
  reveal(at: Coordinates, margin = 16): void {
    const spot = this.view.project(at);
    if (this.view.shows(spot, margin)) return;
    this.glide(this.view.panned(this.view.width / 2 - spot.x, this.view.height / 2 - spot.y));
  }

  /** Lets a thrown map run out; speeds are pixels a millisecond. */
  coast(vx: number, vy: number): void {
    if (still.matches || Math.hypot(vx, vy) < 0.1) return;
    this.run((passed, step) => {
      const left = Math.exp(-passed / 220);
      this.view = this.view.panned(vx * left * step, vy * left * step);
      return left > 0.02;
    });
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
  }

  private fitted(bounds: Bounds): View {
    return this.view.fitted(bounds, marginOf(this.view.width, this.view.height));
  }

  private byHand(view: View): void {
    this.stop();
    this.fitting = undefined;
    this.view = view;
  }

  private glide(goal: View): void {
    if (still.matches) {
      this.stop();
      this.view = goal;
      return;
    }
    const from = this.view;
    this.run((passed) => {
      const part = Math.min(passed / 260, 1);
      this.view = from.towards(goal, 1 - (1 - part) ** 3);
      return part < 1;
    });
  }

  private run(move: (passed: number, step: number) => boolean): void {
    this.stop();
    const began = performance.now();
    let last = began;
    const next = (now: number) => {
      const more = move(now - began, now - last);
      last = now;
      if (more) this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
  }
}
