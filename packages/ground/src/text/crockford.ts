/** The digits of Crockford's base 32, in lower case: no i, l, o or u, and in the order of their values. */
export const crockfordDigits = '0123456789abcdefghjkmnpqrstvwxyz'
