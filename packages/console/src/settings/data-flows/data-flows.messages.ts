import { words } from '../../platform/text/words.ts'

export const text = words('dataFlows', {
  title: 'Receivers of data',
  lead: 'Every host that gets data of this account.',
  none: 'The test environment sends data to no one.',
  receiver: 'Receiver',
  host: 'Host',
  fields: 'Data',
  calls: 'Calls in 30 days',
  notCounted: 'not counted',
})

export const receiverText = words('dataReceivers', {
  mail_server: 'Mail server',
  mail_login: 'Login of mailboxes',
  ai_model: 'AI model',
  people_data: 'People data',
  address_verification: 'Address verification',
  webhook: 'Webhook',
  calendar: 'Calendar',
  system_mail: 'Mail to users',
  payments: 'Payments',
  search_index: 'Search index',
  traces: 'Traces',
  single_sign_on: 'Single sign-on',
  assistant_document: 'Description of an assistant',
  name_server: 'Name server',
})
