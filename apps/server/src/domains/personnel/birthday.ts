import { residentId } from '@zhugong/contract/personnel/codes'

/**
 * A day of birth as it is shown beside a masked number: an identity card's hidden digits are that day, so it is not; the age is. Papers of
 * other kinds do not hold it.
 */
export const shownBirthday = (person: { idCardType: string; birthday: string }): string | null =>
  person.idCardType === residentId ? null : person.birthday
