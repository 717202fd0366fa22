import { randomInt } from 'node:crypto'

/** HJ 212-2017, 6.3.2: the password field PW holds at most 9 characters. Stations whose older password is longer keep it. */
export const longestStationPassword = 9
/** Without what is read one for another on a station's small display. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

/** A new password for an HJ 212 station, of the full length the standard allows. */
export const newStationPassword = (): string =>
  Array.from({ length: longestStationPassword }, () => letters.charAt(randomInt(letters.length))).join('')
