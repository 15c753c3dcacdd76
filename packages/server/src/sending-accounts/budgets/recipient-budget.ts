export function organizationBudget(organization: string): string {
  return `organization:${organization}`
}

export function domainBudget(domain: string): string {
  return `domain:${domain}`
}

const perLicence = 500
const exponent = 0.7
const base = 9_500

/** Microsoft's limit of external recipients per day of a tenant (docs/deliverability.md). Null without licences. */
export function suggestedRecipients(licences: number): number | null {
  return licences < 1 ? null : Math.floor(perLicence * licences ** exponent + base)
}
