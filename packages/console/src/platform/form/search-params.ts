import { useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'

/** The query parameters of the URL as text. Setting a parameter to the empty string removes it. */
export function useSearchParams(): [
  Readonly<Record<string, string>>,
  (changes: Readonly<Record<string, string>>) => void,
] {
  const router = useRouter()
  const search = useRouterState({ select: (state) => state.location.search as Readonly<Record<string, unknown>> })
  const current = Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]))
  const change = (changes: Readonly<Record<string, string>>): void => {
    const next = Object.entries({ ...current, ...changes }).filter(([, value]) => value !== '')
    const query = new URLSearchParams(next).toString()
    void router.navigate({ href: `${router.state.location.pathname}${query === '' ? '' : `?${query}`}`, replace: true })
  }
  return [current, change]
}

/** A field whose text is written to the URL when the user stops typing. */
export function useTypedParam(name: string): [string, (value: string) => void] {
  const [params, change] = useSearchParams()
  const [typed, setTyped] = useState(params[name] ?? '')
  const [waiting] = useState<{ timer?: ReturnType<typeof setTimeout> }>({})
  return [
    typed,
    (value) => {
      setTyped(value)
      clearTimeout(waiting.timer)
      waiting.timer = setTimeout(() => change({ [name]: value.trim() }), restMs)
    },
  ]
}

const restMs = 250
