import type { CheckedTexts } from '@overture/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi, useEnvironment } from '../platform/api/environment.tsx'

export type TextCheck = CheckedTexts

export interface TextToCheck {
  subject: string
  body: string
  campaignId: string
  stepId?: string
  leadIds?: string[]
}

const restMs = 120

/** What the code that sends makes of a text that is being written: it follows the writer, saved or not. */
export function useTextCheck(asked: TextToCheck) {
  const api = useApi()
  const environment = useEnvironment()
  const body = useRested(asked)
  return useQuery({
    queryKey: [environment, 'checks', body],
    queryFn: async ({ signal }): Promise<TextCheck> => api.templates.check(body, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
}

function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
