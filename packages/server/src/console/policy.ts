/** Pages of the console may load only files of their own server, and no inline script or style. */
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
  /** The base64 SHA-256 of the only allowed script. */
  scriptHash: string
  remoteImages: boolean
}

/**
 * The policy for a message from a stranger. It may use its own styles only. Its frame has no origin, so it can't reach cookies or
 * storage.
 */
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
