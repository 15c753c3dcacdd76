import type { Department, Seniority } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'

/** LinkedIn's names of industries, the most frequent ones first. */
export const demoIndustries = [
  'Software Development',
  'IT Services and IT Consulting',
  'Financial Services',
  'Hospitals and Health Care',
  'Advertising Services',
  'Retail',
  'Business Consulting and Services',
  'Real Estate',
  'Construction',
  'Higher Education',
  'Manufacturing',
  'Technology, Information and Internet',
  'Insurance',
  'Banking',
  'Telecommunications',
  'Biotechnology Research',
  'Pharmaceutical Manufacturing',
  'Motor Vehicle Manufacturing',
  'Food and Beverage Services',
  'Hospitality',
  'Transportation, Logistics, Supply Chain and Storage',
  'Computer and Network Security',
  'E-Learning Providers',
  'Staffing and Recruiting',
  'Law Practice',
  'Accounting',
  'Non-profit Organizations',
  'Renewable Energy Power Generation',
  'Oil and Gas',
  'Industrial Machinery Manufacturing',
  'Entertainment Providers',
  'Broadcast Media Production and Distribution',
  'Design Services',
  'Architecture and Planning',
  'Civil Engineering',
  'Medical Equipment Manufacturing',
  'Travel Arrangements',
  'Airlines and Aviation',
  'Semiconductor Manufacturing',
  'Venture Capital and Private Equity Principals',
]

export const demoTechnologies = [
  'Google Analytics',
  'WordPress',
  'Salesforce',
  'HubSpot',
  'Amazon Web Services',
  'Google Workspace',
  'Microsoft 365',
  'Cloudflare',
  'Stripe',
  'Shopify',
  'React',
  'Slack',
  'Zendesk',
  'Intercom',
  'Mailchimp',
  'Marketo',
  'Segment',
  'Snowflake',
  'Kubernetes',
  'PostgreSQL',
  'MongoDB',
  'Python',
  'Java',
  'Node.js',
  'Datadog',
  'Jira',
  'Okta',
  'Workday',
  'SAP',
  'Oracle',
  'Tableau',
  'Power BI',
  'Twilio',
  'SendGrid',
  'Vue.js',
  'Angular',
  'Docker',
  'Terraform',
  'Google Cloud',
  'Azure',
]

export const demoRoles: Record<Department, readonly string[]> = {
  c_suite: ['Strategy', 'Operations', 'Business'],
  consulting: ['Consulting', 'Advisory', 'Management Consulting'],
  design: ['Product Design', 'Design', 'UX', 'Creative'],
  education_coaching: ['Learning', 'Training', 'Education'],
  engineering_technical: [
    'Engineering',
    'Software Engineering',
    'Platform Engineering',
    'Data Engineering',
    'Quality Assurance',
  ],
  finance: ['Finance', 'Accounting', 'Treasury', 'Financial Planning'],
  human_resources: ['Human Resources', 'Talent Acquisition', 'People Operations'],
  information_technology: ['Information Technology', 'IT Infrastructure', 'Information Security'],
  legal: ['Legal', 'Compliance', 'Contracts'],
  marketing: ['Marketing', 'Growth Marketing', 'Product Marketing', 'Demand Generation', 'Brand'],
  medical_health: ['Medical Affairs', 'Clinical Research', 'Nursing'],
  operations: ['Operations', 'Supply Chain', 'Business Operations'],
  product: ['Product', 'Product Management', 'Technical Product'],
  sales: ['Sales', 'Business Development', 'Account Management', 'Enterprise Sales', 'Partnerships'],
}

/** Job titles of people without a rank; `senior` adds "Senior" in front. */
export const professions: Record<Department, readonly string[]> = {
  c_suite: ['Chief of Staff', 'Executive Assistant'],
  consulting: ['Consultant', 'Business Consultant', 'Strategy Consultant'],
  design: ['Product Designer', 'UX Designer', 'Graphic Designer'],
  education_coaching: ['Trainer', 'Instructional Designer', 'Coach'],
  engineering_technical: [
    'Software Engineer',
    'Backend Engineer',
    'Frontend Developer',
    'Data Engineer',
    'DevOps Engineer',
    'QA Engineer',
  ],
  finance: ['Accountant', 'Financial Analyst', 'Controller'],
  human_resources: ['Recruiter', 'HR Business Partner', 'Talent Partner'],
  information_technology: ['Systems Administrator', 'IT Support Engineer', 'Security Engineer'],
  legal: ['Legal Counsel', 'Paralegal', 'Compliance Officer'],
  marketing: ['Marketing Specialist', 'Content Writer', 'SEO Specialist', 'Growth Marketer'],
  medical_health: ['Registered Nurse', 'Clinical Research Associate', 'Pharmacist'],
  operations: ['Operations Analyst', 'Logistics Coordinator', 'Project Coordinator'],
  product: ['Product Owner', 'Business Analyst', 'Product Analyst'],
  sales: [
    'Account Executive',
    'Sales Development Representative',
    'Sales Representative',
    'Customer Success Associate',
  ],
}

export const seniorTitles: Record<Seniority, readonly string[]> = {
  c_suite: [
    'CEO',
    'Chief Executive Officer',
    'CTO',
    'Chief Financial Officer',
    'Chief Marketing Officer',
    'COO',
    'Chief Revenue Officer',
  ],
  director: ['Director of $', '$ Director', 'Senior Director of $'],
  entry: ['$ Associate', '$ Specialist', 'Junior $ Specialist', '$ Coordinator'],
  founder_owner: ['Founder', 'Co-Founder', 'Owner', 'Founder & CEO'],
  head: ['Head of $', 'Global Head of $'],
  intern: ['$ Intern', '$ Trainee'],
  manager: ['$ Manager', 'Senior $ Manager', 'Regional $ Manager'],
  partner: ['Partner', 'Managing Partner', 'Partner, $'],
  senior: ['Senior $ Specialist', 'Lead $ Specialist', 'Principal $ Specialist', 'Sr. $ Analyst'],
  vp: ['Vice President of $', 'VP $', 'VP of $', 'Senior Vice President $', 'SVP $'],
}

const us = `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|FL Florida|
GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|
MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|
NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|
RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|
WV West Virginia|WI Wisconsin|WY Wyoming|DC District of Columbia`

/** GeoNames' first-level codes in the countries of the demo set. States that are not listed are unknown. */
export const regionsByCountry: Record<string, Record<string, string>> = {
  US: regions(us),
  CA: regions(
    '01 Alberta|02 British Columbia|03 Manitoba|04 New Brunswick|05 Newfoundland|07 Nova Scotia|08 Ontario|' +
      '09 Prince Edward Island|10 Quebec|11 Saskatchewan',
  ),
  GB: regions('ENG England|SCT Scotland|WLS Wales|NIR Northern Ireland'),
  DE: regions(
    '01 Baden-Württemberg|02 Bavaria|03 Bremen|04 Hamburg|05 Hesse|06 Lower Saxony|07 North Rhine-Westphalia|' +
      '08 Rhineland-Palatinate|09 Saarland|10 Schleswig-Holstein|11 Brandenburg|12 Mecklenburg-Western Pomerania|' +
      '13 Saxony|14 Saxony-Anhalt|15 Thuringia|16 Berlin',
  ),
  AU: regions(
    '01 Australian Capital Territory|02 New South Wales|03 Northern Territory|04 Queensland|' +
      '05 South Australia|06 Tasmania|07 Victoria|08 Western Australia',
  ),
  FR: {},
  ES: {},
  IT: {},
  NL: {},
  SE: {},
  PL: {},
  IN: {},
  BR: {},
  IE: {},
  CH: {},
  SG: {},
}

function regions(list: string): Record<string, string> {
  return Object.fromEntries(
    list.split('|').map((entry) => {
      const text = entry.trim()
      const space = text.indexOf(' ')
      return [text.slice(0, space), text.slice(space + 1)]
    }),
  )
}
