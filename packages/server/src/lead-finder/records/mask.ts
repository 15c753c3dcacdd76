/** Masks an address as `m*****@example.com`: the first letter and always five stars. Returns the empty string if there is none. */
export function maskEmail(email: string | null): string {
  const at = email?.lastIndexOf('@') ?? -1
  if (!email || at < 1) return ''
  return `${String.fromCodePoint(email.codePointAt(0)!)}*****@${email.slice(at + 1)}`
}

// Country codes have one to three digits, and none is a prefix of another. These have one or two; all others have three.
const shortCountryCodes = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** Masks a number as `+1 *** *** **42`: the country code and the last two digits. Returns the empty string if there is none. */
export function maskMobile(mobile: string | null): string {
  const digits = mobile?.replace(/\D/g, '') ?? ''
  if (digits.length < 5) return ''
  const code = shortCountryCodes.exec(digits)?.[0] ?? digits.slice(0, 3)
  return `+${code} *** *** **${digits.slice(-2)}`
}
