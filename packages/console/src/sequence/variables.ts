/** What every lead, sender and message has a value for, or may have. */
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

/** What a condition may ask beside `customVariables.x`. */
export const leadFields = [
  'email',
  'firstName',
  'lastName',
  'jobTitle',
  'company',
  'companyDomain',
  'linkedinUrl',
  'mobile',
  'country',
  'city',
  'timezone',
  'personId',
] as const
