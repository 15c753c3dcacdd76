import { squeeze } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'

// LinkedIn renamed its industries in 2022. People Data Labs, Apollo and many files still use the old names.
const renamed: Record<string, string> = {
  'Computer Software': 'Software Development',
  'Information Technology and Services': 'IT Services and IT Consulting',
  Internet: 'Technology, Information and Internet',
  'Hospital & Health Care': 'Hospitals and Health Care',
  'Marketing and Advertising': 'Advertising Services',
  'Management Consulting': 'Business Consulting and Services',
  'Telecommunications Services': 'Telecommunications',
  Biotechnology: 'Biotechnology Research',
  Pharmaceuticals: 'Pharmaceutical Manufacturing',
  Automotive: 'Motor Vehicle Manufacturing',
  'Food & Beverages': 'Food and Beverage Services',
  'Logistics and Supply Chain': 'Transportation, Logistics, Supply Chain and Storage',
  'Transportation/Trucking/Railroad': 'Transportation, Logistics, Supply Chain and Storage',
  'E-Learning': 'E-Learning Providers',
  'Legal Services': 'Law Practice',
  'Nonprofit Organization Management': 'Non-profit Organizations',
  'Renewables & Environment': 'Renewable Energy Power Generation',
  'Oil & Energy': 'Oil and Gas',
  Machinery: 'Industrial Machinery Manufacturing',
  Entertainment: 'Entertainment Providers',
  'Broadcast Media': 'Broadcast Media Production and Distribution',
  Design: 'Design Services',
  'Medical Devices': 'Medical Equipment Manufacturing',
  'Leisure, Travel & Tourism': 'Travel Arrangements',
  'Airlines/Aviation': 'Airlines and Aviation',
  Semiconductors: 'Semiconductor Manufacturing',
  'Venture Capital & Private Equity': 'Venture Capital and Private Equity Principals',
}
const canonical = new Map(Object.entries(renamed).map(([before, now]) => [squeeze(before), squeeze(now)]))

/** The form in which industries are compared: without case, spaces and punctuation, and with old names replaced by the new ones. */
export function industryKey(name: string): string {
  const plain = squeeze(name)
  return canonical.get(plain) ?? plain
}

/** The form in which technologies are compared: "Node.js" and "nodejs" are equal. */
export function technologyKey(name: string): string {
  return squeeze(name)
}
