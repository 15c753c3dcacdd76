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

/** The fields that a condition may ask for, besides `customVariables.x`. */
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
