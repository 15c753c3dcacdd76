import type {
  AdminConsent,
  AuthorizeSendingAccountInput,
  ConvertSendingAccountInput,
  CreateSendingAccountInput,
  SendingAccount,
  SendingAccountAuthorization,
  UpdateSendingAccountInput,
  Verification,
} from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { say } from '../platform/ui/index.ts'
import { text } from './senders.messages.ts'

const stale = () => [['senders'], ['campaigns'], ['diagnosis']]

export function useCreateSender(done: (sender: SendingAccount) => void) {
  return useAction<CreateSendingAccountInput, SendingAccount>({
    act: (api, body) => api.sendingAccounts.create(body),
    stale,
    done,
  })
}

export function useUpdateSender(id: string, done?: () => void) {
  return useAction<UpdateSendingAccountInput, SendingAccount>({
    act: (api, body) => api.sendingAccounts.update(id, body),
    stale,
    ...(done && { done }),
  })
}

export function useVerify() {
  return useAction<string, Verification>({ act: (api, id) => api.sendingAccounts.verify(id), stale })
}

export function usePauseSender(id: string) {
  return useAction<void, SendingAccount>({
    act: (api) => api.sendingAccounts.pause(id),
    stale,
    done: ({ email }) => say(text.paused(email)),
  })
}

export function useResumeSender(id: string) {
  return useAction<void, SendingAccount>({
    act: (api) => api.sendingAccounts.resume(id),
    stale,
    done: ({ email }) => say(text.resumed(email)),
  })
}

export function useDeleteSender(id: string, done: () => void) {
  return useAction({ act: (api) => api.sendingAccounts.delete(id), deletes: id, stale, done })
}

/** Sends the browser to the provider. Afterwards the account logs in without a password. */
export function useConvert(id: string) {
  return useAction<ConvertSendingAccountInput, SendingAccountAuthorization>({
    act: (api, body) => api.sendingAccounts.convert(id, body),
    done: ({ authorizeUrl }) => location.assign(authorizeUrl),
  })
}

/** Gets a link for an administrator of the organization that owns the domain. */
export function useAdminConsent(done: (consent: AdminConsent) => void) {
  return useAction<string, AdminConsent>({
    act: (api, domain) => api.sendingAccounts.adminConsent({ provider: 'microsoft', domain }),
    done,
  })
}

/** Sends the browser to the provider, from where it returns. */
export function useAuthorize() {
  return useAction<AuthorizeSendingAccountInput, SendingAccountAuthorization>({
    act: (api, body) => api.sendingAccounts.authorize(body),
    done: ({ authorizeUrl }) => location.assign(authorizeUrl),
  })
}
