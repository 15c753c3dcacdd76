/** The beginnings of the ids of budgets. The rest is the organization or the domain. */
export const budgetPrefixes = { organization: 'organization:', domain: 'domain:' } as const

export function organizationBudget(organization: string): string {
  return budgetPrefixes.organization + organization
}

export function domainBudget(domain: string): string {
  return budgetPrefixes.domain + domain
}

const perLicence = 500
const exponent = 0.7
const base = 9_500

/** Microsoft's limit of external recipients per day of a tenant (docs/deliverability.md). Null without licences. */
export function suggestedRecipients(licences: number): number | null {
  return licences < 1 ? null : Math.floor(perLicence * licences ** exponent + base)
}
