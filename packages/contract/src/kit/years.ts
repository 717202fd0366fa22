/** The same day `years` later, or earlier if negative (`yyyy-MM-dd`). 29 February becomes 28 February in common years. */
export function addYears(day: string, years: number): string {
  const later = `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`
  return later.endsWith('-02-29') && !isLeap(Number(later.slice(0, 4))) ? `${later.slice(0, 4)}-02-28` : later
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
