import { words } from '../../platform/text/words.ts'

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

export const text = words('company', {
  open: (domain: string) => `Pause or resume ${domain}`,
  title: (domain: string) => `Everyone at ${domain}`,
  scope: 'In all your campaigns. People you add later are not paused.',
  counting: 'Counting the people of this company…',
  pause: (count: number) => `Pause ${people(count)}`,
  resume: (count: number) => `Resume ${people(count)}`,
  noneToPause: 'This company has no people who could be paused.',
  noneToResume: 'This company has no paused people.',
  paused: (count: number, domain: string) => `Paused ${people(count)} at ${domain}`,
  resumed: (count: number, domain: string) => `Resumed ${people(count)} at ${domain}`,
  more: 'Press again: at most 1,000 people are changed at once.',
})
