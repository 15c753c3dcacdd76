export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
/** 24 hours. A calendar day in a zone may be an hour longer or shorter. */
export const dayMs = 24 * hourMs
