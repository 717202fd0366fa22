const significantDigits = 9
/**
 * Rounds calculated values (rates, windows, shares of a parameter) to nine significant digits before comparing. Otherwise rounding errors
 * would put a value exactly at its limit on either side.
 */
export const settled = (value: number): number => Number(value.toPrecision(significantDigits))
