import type { VerificationConfig } from '../platform/mail-config.ts'

const providerUrls: Readonly<Record<VerificationConfig['provider'], string>> = {
  zerobounce: 'https://api.zerobounce.net',
  neverbounce: 'https://api.neverbounce.com',
  bouncer: 'https://api.usebouncer.com',
}

/** The address of the provider that verifies mailboxes. */
export function verificationUrl({ provider, baseUrl }: VerificationConfig): string {
  return baseUrl ?? providerUrls[provider]
}
