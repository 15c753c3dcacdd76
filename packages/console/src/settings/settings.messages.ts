import { words } from '../platform/text/words.ts'

export const text = words('settings', {
  title: 'Settings',
  tabs: {
    account: 'Account',
    contacts: 'Contact policy',
    seeds: 'Seed mailboxes',
    team: 'Team',
    profile: 'Profile',
    billing: 'Billing',
    export: 'Export data',
  },
  tabList: 'Settings',
  account: 'Account',
  name: 'Name',
  timezone: 'Time zone',
  timezoneHint: 'Type a city or a region, such as Berlin, and choose from the list. Times are shown in this zone.',
  postalAddress: 'Postal address',
  postalHint: 'Required by law in commercial mail. It is added to the end of live messages.',
  postalInTest: 'Used in live mail only. Switch to live to change it.',
  privacyContact: 'Contact for privacy',
  privacyContactHint: 'An email address for questions about personal data. Privacy notices name it.',
  replyKnowledge: 'Knowledge for drafted replies',
  replyKnowledgeHint:
    'Facts about your offer, as plain text: prices, terms, answers to common questions. AI drafts replies from it and from nothing else.',
  privacyUrl: 'Privacy policy',
  privacyUrlHint:
    'The web address of your privacy policy, such as https://example.com/privacy. Privacy notices link to it.',
  save: 'Save',
  saved: 'Saved',
  facts: 'Details',
  id: 'ID',
  created: 'Created',
})
