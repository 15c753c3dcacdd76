/** The limits of a person's reply, also for the console, which can't load the schemas. */
export const replyLimits = {
  /** Recipients in Cc and Bcc together. */
  copies: 10,
  files: 20,
  /** All files together, before they are encoded. */
  filesBytes: 10 * 1024 * 1024,
}
