import { normalizeEmail } from '@overture/contract/addresses.ts'
import { companyDomain } from '@overture/ground/company-domain.ts'

/** The fields of a lead by which the policy knows a person and a company. */
export interface ContactFields {
  email: string
  companyDomain: string | null
  emailDomain: string
}

/** The keys of a lead's person and company. */
export function contactKeys(lead: ContactFields): { person: string; company: string | null } {
  return { person: normalizeEmail(lead.email).email, company: companyDomain(lead)?.toLowerCase() ?? null }
}
