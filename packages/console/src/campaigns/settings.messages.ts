import { words } from '../platform/text/words.ts'

export const text = words('campaignSettings', {
  name: 'Name',
  general: 'General',
  limits: 'Limits',
  dailyLimit: 'Messages per day',
  dailyNewLeadLimit: 'New leads per day',
  perDomain: 'Messages per recipient domain and day',
  noLimit: 'Leave empty for no limit.',
  stops: 'When a lead stops',
  stopOnReply: 'Stop on a reply',
  stopOnAutoReply: 'Stop on an automatic reply',
  stopOnMeetingBooked: 'Stop when a meeting is booked',
  stopForCompany: 'Also stop colleagues',
  stopForCompanyHint: 'A reply from one person stops all leads of the same company.',
  stopOnSignals: 'Stop on signals',
  stopOnSignalsHint:
    'Your CRM or another program can report that something happened, such as a deal that was won (crm.deal_won). Write the names ' +
    'that end the messages to a person, one per line. Only reports after saving count. Developers find more in “Signals” of the docs.',
  tracking: 'Tracking',
  openTracking: 'Track opens',
  linkTracking: 'Track clicks',
  tracked: 'Tracked leads',
  trackedChoices: { on: 'All leads', by_consent: 'Only leads that agreed', off: 'No leads' },
  trackedHint:
    'A lead agreed if its field “Consent to tracking” is yes. In France and Italy, tracked opens need this consent.',
  textOnly: 'Plain text only',
  trackingHint: 'Tracking pixels and links make spam filters more likely to act. Replies are counted without them.',
  notice: 'Privacy notice',
  noticeChoices: { off: 'None', link: 'Source of the data and a link', text: 'Full text' },
  noticeHint:
    'The first message to people in Europe, or in an unknown country, says where their data comes from. The law there (GDPR, article 14) ' +
    'asks for it. Set the contact and the link in the settings of the account.',
  unsubscribe: 'Opting out',
  unsubscribeChoices: { link: 'A link in the message and the header', header_only: 'Only the header' },
  verification: 'Address verification',
  verificationMode: 'Send to',
  verificationHint: 'Other leads are held. They get mail once their address has a better result.',
  verificationModes: {
    off: 'All addresses',
    block_undeliverable: 'All but undeliverable addresses',
    block_risky: 'All but undeliverable and risky addresses',
    require: 'Only deliverable addresses',
  },
  roleAddresses: 'Don’t write to role addresses',
  roleAddressesHint: 'For example info@ and sales@, verified or not.',
  providers: 'Mail providers',
  providerMatching: 'Sender of the first message',
  providerMatchingHint:
    'Follow-ups come from the same sender. People at other or unknown providers get mail from any sender.',
  providerMatchings: {
    off: 'Any sender',
    prefer: 'A sender at the same provider, if one can send today',
    strict: 'Only a sender at the same provider. Others wait',
  },
  bounce: 'Pause on bounces',
  bounceHint: 'Pauses the campaign when too many messages bounce.',
  texts: 'Texts',
  approval: 'AI texts',
  approvalChoices: { none: 'Send without review', first_n: 'Review the first ones', all: 'Review every text' },
  save: 'Save settings',
  saved: 'Settings saved',
})
