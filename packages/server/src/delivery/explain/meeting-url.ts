import type { Tenant } from '../../platform/tenant.ts'

/** Where a lead books a meeting; null where its account has no booking page. */
export type MeetingUrl = (tenant: Tenant, key: { campaignId: string; leadId: string }) => string | null
