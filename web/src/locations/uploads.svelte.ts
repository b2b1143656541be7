// Pictures on their way to the program, one after another.
import { data, local } from '../api/client';
import { base64, judge, redraw, type Picture, type PictureType } from './pictures';

export interface Upload {
  id: number;
  name: string;
  type: PictureType;
  url: string; // of what is shown meanwhile
  state: 'waiting' | 'sending' | 'failed';
  note: string; // what was done to it, or what is wrong
  hopeless: boolean; // the picture itself is wrong: sending it again fails again
}

const mostAtOnce = 20;

/** A picture that cannot be sent. */
class Unfit extends Error {}

export class Uploads {
  list = $state<Upload[]>([]);
  private next = 1;
  private files = new Map<number, File>();
  private working = false;
  private readonly locationId: string;
  private readonly onadded: (picture: Picture) => void;

  constructor(locationId: string, onadded: (picture: Picture) => void) {
    this.locationId = locationId;
    this.onadded = onadded;
  }

  add(files: readonly File[], type: PictureType): void {
    for (const file of files.slice(0, mostAtOnce)) {
      const id = this.next++;
      this.files.set(id, file);
      this.list.push({ id, name: file.name, type, url: URL.createObjectURL(file), state: 'waiting', note: '', hopeless: false });
    }
    void this.work();
  }

  again(id: number): void {
    const upload = this.list.find((u) => u.id === id);
    if (upload) upload.state = 'waiting';
    void this.work();
  }

  drop(id: number): void {
    const upload = this.list.find((u) => u.id === id);
    if (upload) URL.revokeObjectURL(upload.url);
    this.files.delete(id);
    this.list = this.list.filter((u) => u.id !== id);
  }

  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    for (let upload = this.waiting(); upload; upload = this.waiting()) await this.send(upload);
    this.working = false;
  }

  private waiting(): Upload | undefined {
    return this.list.find((u) => u.state === 'waiting');
  }

  private async send(upload: Upload): Promise<void> {
    const file = this.files.get(upload.id);
    if (!file) return;
    upload.state = 'sending';
    upload.note = '';
    try {
      const ready = await this.prepare(file, upload);
      const picture = await data(
        local.POST('/locations/{location_id}/images', {
          params: { path: { location_id: this.locationId } },
          body: { content: await base64(ready), type: upload.type, description: null },
        }),
      );
      this.drop(upload.id);
      this.onadded(picture);
    } catch (error) {
      upload.state = 'failed';
      upload.note = error instanceof Error ? error.message : String(error);
      upload.hopeless = error instanceof Unfit;
    }
  }

  /** The file as it may be sent, redrawn where it is too large or of another format. */
  private async prepare(file: File, upload: Upload): Promise<Blob> {
    const picture = await createImageBitmap(file).catch(() => {
      throw new Unfit('This is no picture that the browser can read. Choose a JPEG or PNG.');
    });
    try {
      const verdict = judge(upload.type, file, picture.width, picture.height);
      if (verdict.problem) throw new Unfit(verdict.problem);
      if (!verdict.fit) return file;
      upload.note = `Made to fit: ${verdict.fit.toWidth}×${verdict.fit.toHeight}`;
      return await redraw(picture, verdict.fit, file.type === 'image/png');
    } finally {
      picture.close();
    }
  }
}
