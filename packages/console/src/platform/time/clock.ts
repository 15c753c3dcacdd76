/** Real time, for waits and for the age of the data on the screen. All other code is given the tenant's `now`. */
export const realNowMs = (): number => Date.now()
