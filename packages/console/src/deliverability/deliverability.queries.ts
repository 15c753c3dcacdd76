import type { DeliverabilityDomainDetail, DmarcReport } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { useReading } from '../platform/api/query.ts'

export const key = ['deliverability']

export function useDomain(domain: string, range: { from?: string; to?: string }) {
  return useReading<DeliverabilityDomainDetail>({
    key: [...key, domain, range],
    read: (api) => api.deliverability.domains.get(domain, range),
    keepOld: true,
  })
}

export function useUploadReport(done: () => void) {
  return useAction<File, DmarcReport>({
    act: (api, file) =>
      api.call<DmarcReport>('POST', '/v2/deliverability/dmarc-reports', {
        body: file,
        type: 'application/octet-stream',
      }),
    stale: () => [key],
    done,
  })
}
