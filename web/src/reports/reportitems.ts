// What can be done with the report of a campaign or a tracking, for its menu.
import type { IconName } from '../ui/Icon.svelte';

interface ReportItem {
  name: string;
  icon: IconName;
  run: () => void;
}

export const reportAddress = (of: string): string => `/_api/apis/v4/account/v1/reports/${of}`;

export function reportItems(kind: 'campaigns' | 'trackings', id: string, onmail: () => void): ReportItem[] {
  const address = reportAddress(`${kind}/${id}`);
  return [
    { name: 'Report to hand over', icon: 'note', run: () => void open(address, '_blank', 'noopener') },
    { name: 'Save the report as PDF', icon: 'download', run: () => void open(`${address}?format=pdf`, '_self') },
    { name: 'Mail the report', icon: 'calendar', run: onmail },
  ];
}
