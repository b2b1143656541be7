// Moves a camera by hand: drag and throw, wheel, pinch, double press. A press that did not drag is told on.
import type { Attachment } from 'svelte/attachments';
import type { Camera } from './camera.svelte';
import type { Spot } from './view';

export interface Gestures {
  press?: ((spot: Spot) => void) | undefined;
  hover?: ((spot: Spot | undefined) => void) | undefined;
  cooperative?: boolean | undefined; // in a page that scrolls: the wheel zooms with Ctrl only
}

const slack = 5; // pixels that a finger may slip while it presses

export function gestures(camera: Camera, what: () => Gestures): Attachment<HTMLElement> {
  return (pane) => {
    const fingers = new Map<number, Spot>();
    let dragged = false;
    let from: Spot = { x: 0, y: 0 };
    let lastPress = { at: 0, x: 0, y: 0 };
    let trail: { at: number; x: number; y: number }[] = []; // of the last moments, for the speed of a throw

    const spotOf = (event: MouseEvent): Spot => {
      const box = pane.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    const middle = (): Spot & { apart: number } => {
      const [a, b] = [...fingers.values()];
      if (!a) return { x: 0, y: 0, apart: 0 };
      return b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) } : { ...a, apart: 0 };
    };

    function down(event: PointerEvent) {
      if (event.button !== 0 || (event.target as Element).closest('button, a, input')) return;
      camera.stop();
      pane.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, spotOf(event));
      if (fingers.size === 1) {
        from = spotOf(event);
        dragged = false;
        trail = [];
      } else dragged = true;
    }

    function move(event: PointerEvent) {
      const spot = spotOf(event);
      if (!fingers.has(event.pointerId)) {
        if (event.pointerType === 'mouse') what().hover?.((event.target as Element).closest('button, a, input') ? undefined : spot);
        return;
      }
      if (!dragged && Math.hypot(spot.x - from.x, spot.y - from.y) < slack) return;
      const before = middle();
      fingers.set(event.pointerId, spot);
      const after = middle();
      if (!dragged) {
        dragged = true;
        what().hover?.(undefined);
      }
      camera.panBy(after.x - before.x, after.y - before.y);
      if (before.apart > 0 && after.apart > 0) camera.zoomBy(Math.log2(after.apart / before.apart), after);
      trail = [...trail.filter((t) => event.timeStamp - t.at < 80), { at: event.timeStamp, ...spot }];
    }

    function up(event: PointerEvent) {
      if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
      if (!dragged) {
        pressed(event);
        return;
      }
      const first = trail[0];
      const last = trail.at(-1);
      if (!first || !last || last.at === first.at || event.timeStamp - last.at > 60) return;
      camera.coast((last.x - first.x) / (last.at - first.at), (last.y - first.y) / (last.at - first.at));
    }

    function pressed(event: PointerEvent) {
      const spot = spotOf(event);
      const twice = event.timeStamp - lastPress.at < 300 && Math.hypot(spot.x - lastPress.x, spot.y - lastPress.y) < 20;
      lastPress = { at: twice ? 0 : event.timeStamp, ...spot };
      if (twice) camera.glideZoom(event.shiftKey ? -1 : 1, spot);
      else what().press?.(spot);
    }

    function wheel(event: WheelEvent) {
      if (what().cooperative && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const speed = event.ctrlKey ? 0.01 : 0.0025; // a pinch on a trackpad comes as a small wheel with Ctrl
      camera.zoomBy(Math.max(-1, Math.min(1, -event.deltaY * lines * speed)), spotOf(event));
    }

    const gone = (event: PointerEvent) => {
      fingers.delete(event.pointerId);
    };
    const left = () => what().hover?.(undefined);
    pane.addEventListener('pointerdown', down);
    pane.addEventListener('pointermove', move);
    pane.addEventListener('pointerup', up);
    pane.addEventListener('pointercancel', gone);
    pane.addEventListener('pointerleave', left);
    pane.addEventListener('wheel', wheel, { passive: false });
    return () => {
      camera.stop();
      pane.removeEventListener('pointerdown', down);
      pane.removeEventListener('pointermove', move);
      pane.removeEventListener('pointerup', up);
      pane.removeEventListener('pointercancel', gone);
      pane.removeEventListener('pointerleave', left);
      pane.removeEventListener('wheel', wheel);
    };
  };
}
