import { words } from '../platform/text/words.ts'

export const text = words('settings', {
  title: 'Settings',
  tabs: { account: 'Account', team: 'Team', profile: 'Profile', billing: 'Billing' },
  tabList: 'Settings',
  account: 'Account',
  name: 'Name',
  timezone: 'Time zone',
  timezoneHint: 'An IANA name, such as Europe/Berlin. Times are shown in it.',
  postalAddress: 'Postal address',
  postalHint: 'Commercial mail has to name one. It stands at the end of live messages.',
  postalInTest: 'It stands in live mail: switch to live to change it.',
  save: 'Save',
  saved: 'Saved',
  facts: 'This account',
  id: 'Id',
  created: 'Created',
})
