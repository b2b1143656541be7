// A location while it is edited: what has changed, and what the API says is wrong with it.
import { untrack } from 'svelte';
import { ApiError, data, local, type Problem } from '../api/client';
import { changedFields, creationOf, inputOf, profileOf, type FieldName, type Location, type Profile } from './profile';

const pause = 500; // after a change, before it is checked

export class Draft {
  values = $state() as Profile;
  /** Why the last attempt to save failed, as far as no field is to blame. */
  failure = $state.raw<ApiError | undefined>();
  saving = $state(false);
  readonly id: string | undefined;
  private saved = $state.raw() as Profile;
  private problems = $state.raw<Problem[]>([]);
  private touched = $state.raw<ReadonlySet<string>>(new Set());
  private submitted = $state(false);

  readonly changed = $derived(changedFields(this.saved, this.values));

  /** Must be made while a component is, since it checks what is typed by itself. */
  constructor(location: Partial<Location>) {
    this.id = location.location_id;
    this.saved = profileOf(location);
    this.values = profileOf(location);
    $effect(() => {
      const changed = this.changed;
      const values = $state.snapshot(this.values) as Profile;
      untrack(() => (this.touched = new Set([...this.touched, ...changed])));
      const abort = new AbortController();
      const timer = setTimeout(() => void this.check(values, changed, abort.signal), pause);
      return () => {
        clearTimeout(timer);
        abort.abort();
      };
    });
  }

  /** What is wrong with a field and all its parts, such as business_hours.monday_hours. */
  problem(path: string): string {
    return this.told(path, (field) => field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`));
  }

  /** What is wrong with exactly this, where its parts tell their own problems. */
  problemOf(path: string): string {
    return this.told(path, (field) => field === path);
  }

  private told(path: string, concerns: (field: string) => boolean): string {
    if (!this.submitted && !this.touched.has(rootOf(path))) return '';
    return this.problems.filter((p) => concerns(p.field ?? '')).map(spoken).join(' ');
  }

  async save(): Promise<Location | undefined> {
    const values = $state.snapshot(this.values) as Profile;
    this.saving = true;
    this.submitted = true;
    this.failure = undefined;
    try {
      const location = await this.send(values, this.changed, false);
      this.saved = values;
      this.problems = [];
      return location;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problems = error.problems.filter((p) => rootOf(p.field ?? '') in values);
      if (this.problems.length === 0) this.failure = error;
      return undefined;
    } finally {
      this.saving = false;
    }
  }

  discard(): void {
    this.values = structuredClone(this.saved);
    this.problems = [];
    this.failure = undefined;
    this.submitted = false;
    this.touched = new Set();
  }

  private send(values: Profile, changed: FieldName[], validate_only: boolean, signal: AbortSignal | null = null): Promise<Location> {
    if (!this.id) return data(local.POST('/locations', { params: { query: { validate_only } }, body: creationOf(values), signal }));
    return data(
      local.PATCH('/locations/{location_id}', {
        params: { path: { location_id: this.id }, query: { update_mask: changed.join(','), validate_only } },
        body: inputOf(values, changed),
        signal,
      }),
    );
  }

  private async check(values: Profile, changed: FieldName[], signal: AbortSignal): Promise<void> {
    if (changed.length === 0) {
      this.problems = [];
      return;
    }
    try {
      await this.send(values, changed, true, signal);
      if (!signal.aborted) this.problems = [];
    } catch (error) {
      // What is no fault of a field is told when it is saved.
      if (!signal.aborted && error instanceof ApiError && error.status === 400) this.problems = error.problems;
    }
  }
}

const rootOf = (path: string): string => /^\w*/.exec(path)?.[0] ?? '';

/** The problem as it reads beside its field: the API names the field, the form has said it. */
function spoken(problem: Problem): string {
  const path = problem.field ?? '';
  return path && problem.message.startsWith(`${path} `) ? `This${problem.message.slice(path.length)}` : problem.message;
}
