/** What the console's pages may load and be part of: their own server's files, and nothing that is written into markup. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface FramePolicyOptions {
  /** base64 of the SHA-256 of the one script. */
  scriptHash: string
  remoteImages: boolean
}

/** A stranger's mail: its own styles and no more; it is of no origin, so that no cookie and no storage is in its reach. */
export function framePolicy({ scriptHash, remoteImages }: FramePolicyOptions): string {
  return [
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    "style-src 'unsafe-inline'",
    `img-src data:${remoteImages ? ' https:' : ''}`,
    "frame-ancestors 'self'",
  ].join('; ')
}
