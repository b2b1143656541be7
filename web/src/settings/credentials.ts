// Keys and access tokens in the words of people.

export const isToken = (kind: string): boolean => kind === 'token';

export const opens = (kind: string): string => (isToken(kind) ? 'map ranks' : 'locations, keywords, research and your account');

export const may = (readOnly: boolean): string => (readOnly ? 'read' : 'read and change');
