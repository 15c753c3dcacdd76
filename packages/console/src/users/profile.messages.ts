import { words } from '../platform/text/words.ts'

export const text = words('profile', {
  you: 'Profile',
  name: 'Name',
  email: 'Email',
  save: 'Save',
  saved: 'Saved',
  look: 'Appearance',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  density: 'Row height',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  language: 'Language',
  languages: { en: 'English', 'en-XA': 'Pseudo (for testing)' },
  singleKeys: 'Single-key shortcuts',
  singleKeysHint: 'Letters work as shortcuts outside of text fields. Turn this off if you use speech input.',
  sessions: 'Active sessions',
  current: 'this browser',
  since: 'since',
  end: 'Sign out',
  unknown: 'Unknown browser',
})
