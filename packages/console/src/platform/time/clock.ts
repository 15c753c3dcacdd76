/** Real time, for waits and for the age of what is on the screen. Everything else is given the tenant's `now`. */
export const realNowMs = (): number => Date.now()
