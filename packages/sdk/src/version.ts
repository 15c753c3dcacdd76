/** Of this client, the one in its package.json. */
export const version = '0.1.0'
