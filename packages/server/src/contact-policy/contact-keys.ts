import { normalizeEmail } from '@overture/contract/addresses.ts'
import { companyDomain, isSharedDomain } from '@overture/ground/company-domain.ts'

/** The fields of a lead by which the policy knows a person and a company. */
export interface ContactFields {
  email: string
  companyDomain: string | null
  emailDomain: string
}

/** The keys of a lead's person and company. A free mail provider as `companyDomain` names no company. */
export function contactKeys(lead: ContactFields): { person: string; company: string | null } {
  const given = lead.companyDomain?.toLowerCase() ?? null
  const named = given !== null && isSharedDomain(given) ? null : given
  return {
    person: normalizeEmail(lead.email).email,
    company: companyDomain({ companyDomain: named, emailDomain: lead.emailDomain.toLowerCase() }),
  }
}
