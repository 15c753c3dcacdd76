import { words } from '../platform/text/words.ts'

export const text = words('leadProfile', {
  title: 'Details',
  email: 'Email',
  emailHint: 'The address can’t be changed. Add another lead instead.',
  save: 'Save',
  saved: 'Saved',
  fields: {
    firstName: 'First name',
    lastName: 'Last name',
    jobTitle: 'Job title',
    company: 'Company',
    companyDomain: 'Company domain',
    mobile: 'Phone',
    linkedinUrl: 'LinkedIn',
    city: 'City',
    country: 'Country',
    timezone: 'Time zone',
    personId: 'Person ID',
  },
  zoneHint: 'Messages are sent in this zone if the schedule says so. For example Europe/Berlin.',
  zoneUnknown: 'No time zone has this name. Choose one from the list, such as Europe/Berlin.',
  custom: 'Custom fields',
  addedName: 'Name of a new field',
  addedNameHint: 'Letters, digits and _. Use it in texts as {{ name }}.',
  addedValue: 'Its value',
  inEveryCampaign: 'A change applies in every campaign of this person.',
})
