// What a person has chosen for this browser.
type Theme = 'system' | 'light' | 'dark';
type Palette = 'default' | 'blue-orange';

const dark = matchMedia('(prefers-color-scheme: dark)');

export function kept<T extends string>(name: string, fallback: T): T {
  try {
    return (localStorage.getItem(name) as T | null) ?? fallback;
  } catch {
    return fallback; // storage may be forbidden
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // then it holds until the page is left
  }
}

class Preferences {
  theme = $state<Theme>(kept('theme', 'system'));
  palette = $state<Palette>(kept('palette', 'default'));
  private systemDark = $state(dark.matches);

  constructor() {
    dark.addEventListener('change', () => {
      this.systemDark = dark.matches;
      this.show();
    });
    this.show();
  }

  get dark(): boolean {
    return this.theme === 'dark' || (this.theme === 'system' && this.systemDark);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    keep('theme', theme);
    this.show();
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    keep('palette', palette);
  }

  private show(): void {
    document.documentElement.dataset['theme'] = this.dark ? 'dark' : 'light';
  }
}

export const preferences = new Preferences();
