// Identifiers of the API in words.
const words: Record<string, string> = { NFC_MOBILE_PAYMENTS: 'Contactless', PRAYER_GENERAL: 'Prayer', DRIVE_THROUGH: 'Drive-through' };

/** SENIOR_HOURS becomes Senior hours. */
export function nameOfCode(code: string): string {
  return words[code] ?? code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');
}
