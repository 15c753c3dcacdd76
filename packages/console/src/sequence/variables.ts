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
  'lawfulBasis',
  'dataSource',
  'basisNote',
  'trackingConsent',
] as const
