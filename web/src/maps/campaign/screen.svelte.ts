// What the campaign screen shows: the address says what is looked at, the view answers it, and playing runs through
// the reports that came with it without asking again.
import { data, failure, maps } from '../../api/client';
import { Resource } from '../../api/resource.svelte';
import { address } from '../../app/router.svelte';
import { date, timesWithinDays } from '../../ui/format';
import { Camera } from '../../ui/map/camera.svelte';
import { pointNames } from '../../ui/map/points';
import { toasts } from '../../ui/toast.svelte';
import { businessQuery, businessRef, gridOf, type Grid, isBusiness, nearestTo, reportAt, stepOf } from './ranks';
import type { Business, CampaignView, PointResults, Report } from './types';

export type Comparison = 'dates' | 'businesses';

/** One of the two that are compared. */
export interface Side {
  name: string;
  grid: Grid | undefined;
  before: Grid | undefined; // the report before it
}

export class CampaignScreen {
  readonly camera = new Camera();
  readonly view = new Resource<CampaignView>((signal) => this.ask(this.businessRef, signal));
  readonly rival = new Resource<CampaignView | undefined>((signal) => (this.withRef ? this.ask(this.withRef, signal) : Promise.resolve(undefined))); // the other of two businesses
  readonly point = new Resource<PointResults | undefined>((signal) => this.askPoint(signal));

  playing = $state(false);
  at = $state<number>(); // point under the pointer or the keyboard
  private passing = $state<string>(); // date while the slider moves; the address follows when it rests
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly id: string,
    readonly token?: string,
  ) {}

  // What the address says.
  readonly keywordId = $derived(address.query.get('keyword') ?? undefined);
  readonly businessRef = $derived(address.query.get('business') ?? undefined);
  readonly date = $derived(address.query.get('date') ?? undefined);
  readonly pointId = $derived(address.query.get('point') ?? undefined);
  readonly tab = $derived(address.query.get('tab') ?? 'competitors');
  readonly comparison = $derived.by((): Comparison | undefined => {
    const kind = address.query.get('compare');
    return kind === 'dates' || kind === 'businesses' ? kind : undefined;
  });
  readonly difference = $derived(address.query.get('show') === 'difference');
  private readonly with = $derived(address.query.get('with') ?? undefined);
  readonly withRef = $derived(this.comparison === 'businesses' ? this.with : undefined);

  // What is shown of the answer.
  readonly reports = $derived<readonly Report[]>(this.view.value?.reports ?? []);
  readonly times = $derived(timesWithinDays(this.reports.map((r) => r.date))); // of reports that share their day
  readonly index = $derived(reportAt(this.reports, this.passing ?? this.date));
  readonly report = $derived(this.reports[this.index]);
  readonly grid = $derived(this.gridAt(this.index));
  readonly before = $derived(this.gridAt(this.index - 1));
  private readonly pointNames = $derived(pointNames((this.grid?.points ?? []).map((p) => p.coordinates)));
  private readonly shownKeyword = $derived(this.keywordId ?? this.view.value?.keyword.id);
  private readonly shownDate = $derived(this.date ?? this.view.value?.reportDate);
  readonly own = $derived(this.view.value?.own ?? true);
  readonly business = $derived(this.view.value?.business);

  /** Where the report that is compared with stands. */
  readonly withIndex = $derived(this.comparison === 'dates' ? (this.with ? reportAt(this.reports, this.with) : Math.max(this.index - 1, 0)) : -1);
  readonly rivalBusiness = $derived(this.comparison === 'businesses' ? this.rival.value?.business : undefined);

  /** What the shown grid is compared with, by someone who compares, or else the report before. */
  readonly against = $derived.by((): Side | undefined => {
    if (this.comparison === 'dates') return this.sideAt(this.withIndex);
    if (this.comparison !== 'businesses' || !this.rival.value) return undefined;
    const { reports, pointSets, business } = this.rival.value;
    const i = reports.findIndex((r) => r.date === this.report?.date);
    return { name: business.name, grid: gridOf(pointSets, reports[i]), before: gridOf(pointSets, reports[i - 1]) };
  });

  /** Who "me against" means when nobody was chosen: the best of the others, or oneself when another is shown. */
  private readonly nextRival = $derived.by((): string | undefined => {
    const others = (this.view.value?.competitors ?? []).filter((c) => !isBusiness(c.business, this.businessRef) && !(c.own && this.own));
    const other = this.own ? others[0] : (others.find((c) => c.own) ?? others[0]);
    return other && businessRef(other.business);
  });

  /** What the campaign's own business is called beside its name: who reads by a link does not own it. */
  get mine(): string {
    return this.token === undefined ? 'mine' : 'this one';
  }

  /** When a report was made: its day, with the time where the day has another one. */
  when(reportDate: string | undefined): string {
    const time = reportDate && this.times.get(reportDate);
    return date(reportDate) + (time ? `, ${time}` : '');
  }

  /** What a point of the shown report is called. */
  pointName(id: string | undefined): string {
    const at = this.grid?.points.findIndex((p) => p.id === id) ?? -1;
    return this.pointNames[at] ?? 'Point';
  }

  show(business: Business, own: boolean): void {
    address.set({ business: own ? undefined : businessRef(business), ...(isBusiness(business, this.withRef) ? { compare: undefined, with: undefined } : {}) }, { push: true });
  }

  /** Sets a business beside the one that is shown. */
  setAgainst(business: Business): void {
    address.set({ compare: 'businesses', with: businessRef(business), ...(isBusiness(business, this.businessRef) ? { business: undefined } : {}) }, { push: true });
  }

  /** Begins or ends a comparison. Two dates are both named, so that a link brings back the same two later on. */
  compare(kind: Comparison | undefined): void {
    this.playing = false;
    const now = this.named(this.report?.date, kind);
    const beside = { dates: this.reports[Math.max(this.index - 1, 0)]?.date, businesses: this.nextRival };
    this.arrive();
    address.set({ compare: kind, with: kind && beside[kind], show: kind && this.difference ? 'difference' : undefined, date: now }, { push: true });
  }

  openPoint(index: number | undefined): void {
    const id = index === undefined ? undefined : this.grid?.points[index]?.id;
    address.set({ point: id, ...(id ? { tab: 'point' } : this.tab === 'point' ? { tab: undefined } : {}) }, { push: id !== undefined && this.pointId === undefined });
  }

  /** Shows a report at once; the address and what belongs to the report follow when the slider rests. */
  goTo(index: number): void {
    const report = this.reports[Math.min(Math.max(index, 0), this.reports.length - 1)];
    if (!report) return;
    this.passing = report.date;
    clearTimeout(this.resting);
    if (!this.playing) this.resting = setTimeout(() => this.rest(), 200);
  }

  step(by: number): void {
    this.playing = false;
    this.goTo(this.index + by);
  }

  /** Runs through the reports from where it stands, from the first one when it stands at the last. */
  play(): () => void {
    if (this.index === this.reports.length - 1) this.goTo(0);
    const timer = setInterval(() => {
      this.goTo(this.index + 1);
      if (this.index >= this.reports.length - 1) this.playing = false;
    }, stepOf(this.reports.length));
    return () => {
      clearInterval(timer);
      this.resting = setTimeout(() => this.rest()); // what ends an effect sees what was before, not the last report
    };
  }

  /** Shows the newest report, which has just come. */
  showNewest(): void {
    this.arrive();
    address.set({ date: undefined });
    this.view.reload();
  }

  private rest(): void {
    const { passing } = this;
    this.arrive();
    if (passing) address.set({ date: this.named(passing, this.comparison) });
  }

  private arrive(): void {
    clearTimeout(this.resting);
    this.passing = undefined;
  }

  /** How the address names a report: the newest stays the newest, unless it is compared. */
  private named(reportDate: string | undefined, comparison: Comparison | undefined): string | undefined {
    return reportDate === this.reports.at(-1)?.date && comparison !== 'dates' ? undefined : reportDate;
  }

  private gridAt(index: number): Grid | undefined {
    return gridOf(this.view.value?.pointSets ?? [], this.reports[index]);
  }

  private sideAt(index: number): Side {
    return { name: '', grid: this.gridAt(index), before: this.gridAt(index - 1) };
  }

  private get shared() {
    return this.token ? { share_token: this.token } : {};
  }

  private async ask(business: string | undefined, signal: AbortSignal): Promise<CampaignView> {
    const { date: reportDate } = this;
    const query = { ...(this.keywordId ? { keywordId: this.keywordId } : {}), ...businessQuery(business), ...this.shared };
    const path = { campaignId: this.id };
    const view = (more: { reportDate?: string }) => data(maps.GET('/campaigns/{campaignId}/view', { params: { path, query: { ...query, ...more } }, signal }));
    if (!reportDate) return view({});
    try {
      return await view({ reportDate });
    } catch (failed) {
      if (failure(failed).status !== 400) throw failed;
      const found = await view({}); // what was wrong is the date, then
      if (!signal.aborted) this.showNearest(reportDate, found.reports);
      return found;
    }
  }

  /** The address names a report that is not there: the nearest one takes its place. */
  private showNearest(asked: string, reports: readonly Report[]): void {
    const nearest = reports[nearestTo(reports, asked)]?.date;
    toasts.show(`There is no report of ${Date.parse(asked) ? date(asked) : `“${asked}”`}. ${nearest ? `This is the nearest, of ${date(nearest)}.` : ''}`, { seconds: 8 });
    address.set({ date: nearest === reports.at(-1)?.date ? undefined : nearest });
  }

  private askPoint(signal: AbortSignal): Promise<PointResults | undefined> {
    const { pointId, shownKeyword: keywordId, shownDate: reportDate } = this;
    if (!pointId || !keywordId || !reportDate) return Promise.resolve(undefined);
    return data(maps.GET('/campaigns/{campaignId}/point-results', { params: { path: { campaignId: this.id }, query: { keywordId, reportDate, pointId, ...this.shared } }, signal }));
  }
}
