import type { Confirmation, RecoveryCodes, TotpOff, TotpSecret } from '@overture/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { anyApi } from '../../platform/api/environment.tsx'

export function useBeginTotp() {
  return useMutation<TotpSecret, Error, Confirmation | undefined>({
    mutationFn: async (confirm) => anyApi.me.totp.begin(confirm === undefined ? {} : { confirm }),
  })
}

/** Turns the second step on: from then on a code is needed. The recovery codes in the answer are shown once. */
export function useConfirmTotp() {
  const changed = useMeChanged()
  return useMutation<RecoveryCodes, Error, string>({
    mutationFn: async (code) => anyApi.me.totp.confirm({ code }),
    onSuccess: changed,
  })
}

export function useEndTotp(done: () => void) {
  const changed = useMeChanged()
  return useMutation<TotpOff, Error, Confirmation>({
    mutationFn: async (confirm) => anyApi.me.totp.end({ confirm }),
    onSuccess: async () => {
      done()
      await changed()
    },
  })
}

function useMeChanged(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['session', 'me'] })
}
