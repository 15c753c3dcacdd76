import { words } from '../platform/text/words.ts'

export const text = words('profile', {
  you: 'You',
  name: 'Name',
  email: 'E-mail',
  save: 'Save',
  saved: 'Saved',
  look: 'How it looks',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  density: 'Row height',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  language: 'Language',
  languages: { en: 'English', 'en-XA': 'Pseudo (for testing)' },
  singleKeys: 'Single keys as shortcuts',
  singleKeysHint: 'Letters act outside of text fields. Turn them off if you speak to your computer.',
  sessions: 'Where you are signed in',
  current: 'this browser',
  since: 'since',
  end: 'Sign out there',
  unknown: 'an unknown browser',
})
