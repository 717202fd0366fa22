const significantDigits = 9
/**
 * What is worked out (a rate, a window, a share of a parameter) as it is compared, to nine significant digits: beyond them stands what the
 * arithmetic left behind, and a value exactly at its limit would fall on either side of it.
 */
export const settled = (value: number): number => Number(value.toPrecision(significantDigits))
