import { z } from 'zod'

/**
 * Number plates of mainland vehicles. People, sheets, cameras and terminals write them with dots and blanks, in full width and in lower case;
 * they are compared, so they are kept in one spelling wherever they enter.
 */
const provinces = '京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川贵云藏陕甘青宁新'
const letter = 'A-HJ-NP-Z'
const shapes = [
  // Ordinary ones, and trailers, learners, police, those of Hong Kong and Macao, and of consulates.
  new RegExp(`^[${provinces}][${letter}][${letter}0-9]{4}[${letter}0-9挂学警港澳领]$`),
  // New energy: A to E mark pure electric, F to K the others, and either may stand in either place.
  new RegExp(`^[${provinces}][${letter}][A-HJK][${letter}0-9]\\d{4}$`),
  new RegExp(`^[${provinces}][${letter}]\\d{5}[A-HJK]$`),
  new RegExp(`^[${provinces}]X\\d{4}应急$`),
]

/** Blanks, dots of every kind, dashes, and what the eye does not see. */
const separators = /[\s\p{Cf}·•‧・∙⋅.。_‐‑–—-]/gu

/** The one spelling: `鄂Ａ·9p8q7` is 鄂A9P8Q7. Of what is no plate it changes as much; parts of plates are searched by it too. */
export const canonicalPlate = (v: string): string => v.normalize('NFKC').replace(separators, '').toUpperCase()

export const isPlate = (v: unknown): boolean => typeof v === 'string' && shapes.some((shape) => shape.test(v))

const maxLength = 12
/** As pasted, with separators. */
const maxWritten = 40
export const plateHint = '车牌格式不正确，如 鄂A12345、鄂AD12345'

const written = z
  .string({ error: (issue) => (issue.input === undefined || issue.input === null ? '请填写车牌' : '车牌应为文字') })
  .max(maxWritten, `车牌最多 ${maxLength} 个字`)
  .transform(canonicalPlate)

/** A plate that somebody enters. */
export const plateField = written.pipe(z.string().min(1, '请填写车牌').refine(isPlate, plateHint))
/** Of a vehicle that may have none: a loader of the yard goes by its own number. */
export const vehicleNumber = written.pipe(z.string().min(1, '请填写车牌').max(maxLength, `车牌最多 ${maxLength} 个字`))
/** A plate, or a part of one, that somebody looks for. */
export const plateSearch = written

/** Words of a device with its plate in the one spelling; what it said stands beside it where it is another. */
export function withCanonicalPlate(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { plateNo } = data
  if (typeof plateNo !== 'string') return data
  const plain = canonicalPlate(plateNo)
  return plain === plateNo ? data : { ...data, plateNo: plain, plateRaw: plateNo }
}

/** What is kept of a vehicle in its file: the plate in the one spelling. */
export function withPlainPlate<P extends Readonly<Record<string, unknown>>>(params: P): P {
  return typeof params.plateNo === 'string' ? { ...params, plateNo: canonicalPlate(params.plateNo) } : params
}
