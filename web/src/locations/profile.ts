// What a location says of itself, as the form holds it: every field is there, empty where it has no value.
import type { components } from '../api/generated/local';

export type Location = components['schemas']['Location'];
export type Input = components['schemas']['Input'];
export type Week = components['schemas']['Week'];
export type Range = components['schemas']['Range'];
export type SpecialDay = components['schemas']['SpecialDay'];
export type MoreHours = components['schemas']['MoreHours'];
export type ServiceAreaPlace = components['schemas']['ServiceAreaPlace'];

export const textFields = [
  'business_name', 'description', 'country', 'region', 'city', 'zip', 'address_line_1', 'address_line_2', 'phone_number', 'website_url',
  'featured_message', 'featured_message_url', 'youtube_video', 'instagram_username', 'twitter_username', 'place_id', 'reopen_date',
] as const;

export type Profile = Record<(typeof textFields)[number], string> & {
  category_ids: string[];
  payment_options: string[];
  coordinates: { latitude: number | null; longitude: number | null };
  suppress_address: boolean;
  business_hours: Week;
  special_hours: SpecialDay[];
  more_hours: MoreHours[];
  service_area_places: ServiceAreaPlace[];
};

export type FieldName = keyof Profile;

export const noWeek = (): Week => ({
  monday_hours: [], tuesday_hours: [], wednesday_hours: [], thursday_hours: [], friday_hours: [], saturday_hours: [], sunday_hours: [],
});

/** The form's values of a stored location, or of one that is yet to be made. */
export function profileOf(location: Partial<Location>): Profile {
  const copy = structuredClone(location);
  return {
    ...(Object.fromEntries(textFields.map((name) => [name, copy[name] ?? ''])) as Record<(typeof textFields)[number], string>),
    category_ids: copy.category_ids ?? [],
    payment_options: copy.payment_options ?? [],
    coordinates: { latitude: copy.coordinates?.latitude ?? null, longitude: copy.coordinates?.longitude ?? null },
    suppress_address: copy.suppress_address ?? false,
    business_hours: { ...noWeek(), ...copy.business_hours },
    special_hours: copy.special_hours ?? [],
    more_hours: copy.more_hours ?? [],
    service_area_places: copy.service_area_places ?? [],
  };
}

/** The fields that differ, in the order of the form. */
export function changedFields(saved: Profile, values: Profile): FieldName[] {
  return (Object.keys(saved) as FieldName[]).filter((name) => JSON.stringify(saved[name]) !== JSON.stringify(values[name]));
}

function isEmpty(name: FieldName, value: unknown): boolean {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return true;
  if (name === 'coordinates') return Object.values(value as object).every((v) => v === null);
  if (name === 'business_hours') return Object.values(value as Week).every((ranges) => ranges.length === 0);
  return false;
}

/** A body with these fields; one without a value is null, which clears it. */
export function inputOf(values: Profile, fields: readonly FieldName[]): Input {
  return Object.fromEntries(fields.map((name) => [name, isEmpty(name, values[name]) ? null : values[name]])) as Input;
}

/** A body that makes a location: what has no value is left out. */
export function creationOf(values: Profile): components['schemas']['CreateLocationRequest'] {
  const given = (Object.keys(values) as FieldName[]).filter((name) => !isEmpty(name, values[name]));
  return inputOf(values, given) as components['schemas']['CreateLocationRequest'];
}
