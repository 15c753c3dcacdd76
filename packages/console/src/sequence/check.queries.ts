import type { Blocker, Campaign, CheckedTexts } from '@overture/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi, useEnvironment } from '../platform/api/environment.tsx'
import { useReading } from '../platform/api/query.ts'
import { usePermissionReason } from '../platform/session/permission.ts'

/** The result of a check, with the text that was checked. */
export type TextCheck = CheckedTexts & { checkedTexts: { subject: string; body: string } }

export interface TextToCheck {
  subject: string
  body: string
  campaignId: string
  stepId?: string
  leadIds?: string[]
}

const restMs = 120

/** Checks the text that the user is editing, saved or not, with the code that sends it. */
export function useTextCheck(checkedTexts: TextToCheck) {
  const api = useApi()
  const environment = useEnvironment()
  const body = useRested(checkedTexts)
  const mayCheck = usePermissionReason('checkTexts') === null
  return useQuery({
    queryKey: [environment, 'checks', body],
    queryFn: async ({ signal }): Promise<TextCheck> => ({
      ...(await api.templates.check(body, { signal })),
      checkedTexts: body,
    }),
    enabled: mayCheck,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
}

/** The value after it has not changed for a moment, so that typing makes few requests. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/** The blockers of the campaign as it is saved. They are read again when its branches or settings change. */
export function useNeverHolds({ id, steps, settings }: Campaign): Blocker[] {
  const branches = steps.flatMap((step) => step.branches)
  const preflight = useReading({
    key: ['campaigns', 'preflight', id, JSON.stringify([branches, settings])],
    read: (api) => api.campaigns.preflight(id),
    enabled: branches.length > 0,
    keepOld: true,
  })
  return branches.length > 0 ? (preflight.data?.blockers ?? []) : []
}
