import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'

/** A lead whose place depends on the sequence. */
export interface ReflowRow {
  id: string
  email: string
  status: LeadStatus
  currentStep: number
  nextStep: number | null
  lastContactedAt: Date | null
  dueAt: Date | null
  timezone: string | null
  country: string | null
}

/** The place of the lead in the changed sequence. */
export interface ReflowedLead {
  id: string
  status: LeadStatus
  currentStep: number
  nextStep: number | null
  deciding: boolean
  dueAt: Date | null
}
