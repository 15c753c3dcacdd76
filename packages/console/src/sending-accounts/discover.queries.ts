import type { SendingAccountDiscovery } from '@overture/sdk'
import { useEffect, useRef } from 'react'
import { useAction } from '../platform/api/action.ts'

const wholeAddress = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/
const pauseMs = 700

/** Looks up the servers of an address once it is complete and the user stops typing. A late answer for another address is ignored. */
export function useDiscover(address: string, done: (found: SendingAccountDiscovery) => void) {
  const lastEmail = useRef('')
  const action = useAction<string, SendingAccountDiscovery>({
    act: (api, email) => api.sendingAccounts.discover({ email }),
    done: (found) => {
      if (found.email === lastEmail.current) done(found)
    },
  })
  const find = (): void => {
    lastEmail.current = address
    action.mutate(address)
  }
  const latest = useRef(find)
  latest.current = find
  useEffect(() => {
    if (!wholeAddress.test(address) || address === lastEmail.current) return
    const timer = setTimeout(() => latest.current(), pauseMs)
    return () => clearTimeout(timer)
  }, [address])
  return { find, busy: action.isPending, error: action.error }
}
