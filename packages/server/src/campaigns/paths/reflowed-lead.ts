import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'

/** A lead whose place depends on its sequence. */
export interface ReflowRow {
  id: string
  email: string
  status: LeadStatus
  currentStep: number
  nextStep: number | null
  lastContactedAt: Date | null
  dueAt: Date | null
  timezone: string | null
}

/** The place that it is given in a changed one. */
export interface ReflowedLead {
  id: string
  status: LeadStatus
  currentStep: number
  nextStep: number | null
  deciding: boolean
  dueAt: Date | null
}
