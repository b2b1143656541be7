// What a browser finds wrong with a control, in the words of the screens.
type Checked = Pick<HTMLInputElement, 'validity' | 'validationMessage' | 'value' | 'minLength' | 'type'>;

export function whatIsWrong({ validity, validationMessage, value, minLength, type }: Checked): string {
  if (validity.valueMissing) return 'This is needed.';
  if (validity.tooShort) return `At least ${minLength} characters; these are ${value.length}.`;
  if (validity.typeMismatch && type === 'email') return 'This is no e-mail address.';
  if (validity.typeMismatch && type === 'url') return 'This is no address of a website; it begins with https://.';
  return validationMessage;
}
