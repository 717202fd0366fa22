import { z } from 'zod'

/**
 * Number plates of mainland vehicles. Users, sheets, cameras and terminals write them with dots and spaces, in full width and in lower
 * case. Plates are compared, so they are converted to one spelling wherever they enter.
 */
const provinces = '京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川贵云藏陕甘青宁新'
const letter = 'A-HJ-NP-Z'
const shapes = [
  // Ordinary plates, and those of trailers, learners, police, Hong Kong and Macao, and consulates.
  new RegExp(`^[${provinces}][${letter}][${letter}0-9]{4}[${letter}0-9挂学警港澳领]$`),
  // New energy vehicles: A to E mean pure electric, F to K others. The letter is in either of two positions.
  new RegExp(`^[${provinces}][${letter}][A-HJK][${letter}0-9]\\d{4}$`),
  new RegExp(`^[${provinces}][${letter}]\\d{5}[A-HJK]$`),
  new RegExp(`^[${provinces}]X\\d{4}应急$`),
]

/** Spaces, dots of every kind, dashes, and invisible characters. */
const separators = /[\s\p{Cf}·•‧・∙⋅.。_‐‑–—-]/gu

/**
 * The canonical spelling: `鄂Ａ·9p8q7` becomes 鄂A9P8Q7. Texts that are no plate are changed likewise; searches for a part of a plate use it
 * too.
 */
export const canonicalPlate = (v: string): string => v.normalize('NFKC').replace(separators, '').toUpperCase()

export const isPlate = (v: unknown): boolean => typeof v === 'string' && shapes.some((shape) => shape.test(v))

const maxLength = 12
/** Longest input, including separators. */
const maxWritten = 40
export const plateHint = '车牌格式不正确，如 鄂A12345、鄂AD12345'

const written = z
  .string({ error: (issue) => (issue.input === undefined || issue.input === null ? '请填写车牌' : '车牌应为文字') })
  .max(maxWritten, `车牌最多 ${maxLength} 个字`)
  .transform(canonicalPlate)

/** A required plate. */
export const plateField = written.pipe(z.string().min(1, '请填写车牌').refine(isPlate, plateHint))
/** Number of a vehicle that may have no plate: a loader in the yard has an internal number. */
export const vehicleNumber = written.pipe(z.string().min(1, '请填写车牌').max(maxLength, `车牌最多 ${maxLength} 个字`))
/** A plate, or part of one, as a search text. */
export const plateSearch = written

/** A device's data with its plate in canonical spelling; the original text is kept beside it if it differs. */
export function withCanonicalPlate(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { plateNo } = data
  if (typeof plateNo !== 'string') return data
  const plain = canonicalPlate(plateNo)
  return plain === plateNo ? data : { ...data, plateNo: plain, plateRaw: plateNo }
}

/** Parameters of a vehicle's record, with the plate in canonical spelling. */
export function withPlainPlate<P extends Readonly<Record<string, unknown>>>(params: P): P {
  return typeof params.plateNo === 'string' ? { ...params, plateNo: canonicalPlate(params.plateNo) } : params
}
