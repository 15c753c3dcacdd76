import type { Tenant } from '../platform/tenant.ts'

/** The URL where a lead books a meeting; null if its account has no booking page. */
export type MeetingUrl = (tenant: Tenant, key: { campaignId: string; leadId: string }) => string | null
