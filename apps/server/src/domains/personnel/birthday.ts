import { residentId } from '@zhugong/contract/personnel/codes'

/**
 * The birthday shown beside a masked number. Null for identity cards: the masked digits are the birthday, so only the age is shown.
 * Numbers of other documents do not contain it.
 */
export const shownBirthday = (person: { idCardType: string; birthday: string }): string | null =>
  person.idCardType === residentId ? null : person.birthday
