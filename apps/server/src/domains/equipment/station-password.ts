import { randomInt } from 'node:crypto'
import { hj212 as station } from '@zhugong/contract/protocols/hj212'

/** Without characters that look alike on a small display. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

/** A new random password of a device. */
export const newPassword = (length: number): string => Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('')

/** A new password of a station, of the full length the standard allows. Stations with an older, longer password keep it. */
export const newStationPassword = (): string => newPassword(station.passwordLength)
