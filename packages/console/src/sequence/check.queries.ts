import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi, useEnvironment } from '../platform/api/environment.tsx'

export interface TextCheck {
  issues: { field: 'subject' | 'body'; line: number; column: number; message: string }[]
  hints: { code: string; severity: string; field: string; message: string; at: [number, number] | null }[]
  variables: { name: string; missing: number; of: number }[]
  previews: {
    leadId: string
    subject: string | null
    text: string | null
    html: string | null
    missing: string[]
    /** Why nothing could be sent to this lead. */
    problem: string | null
  }[]
}

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
    queryFn: ({ signal }) =>
      api.call<TextCheck>('POST', '/v2/templates/check', { body, options: { signal } }) as Promise<TextCheck>,
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
