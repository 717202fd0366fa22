/** Prints one line per fault; the limits are in brackets. */
export function report(name: string, words: string, isGood: boolean): boolean {
  console.log(`${isGood ? 'pass' : 'FAIL'}  ${name}: ${words}`)
  return isGood
}
