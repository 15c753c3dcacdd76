/** Variables of every lead, sender and message. Some may have no value. */
export const knownVariables = [
  'firstName',
  'lastName',
  'jobTitle',
  'company',
  'companyDomain',
  'city',
  'country',
  'email',
  'linkedinUrl',
  'mobile',
  'sender.fromName',
  'sender.email',
  'unsubscribeUrl',
  'meetingUrl',
] as const
