import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs, minuteMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import ExifReader from 'exifreader'

/** What a photograph says of itself. */
export interface Evidence {
  takenAt: Date | null
  /** `exif`: by the camera; `device`: the time of the file, as the uploading device names it. */
  takenFrom: 'exif' | 'device' | null
  /** WGS-84. */
  lng: number | null
  lat: number | null
  device: string | null
}

/** Clocks of phones run a little ahead. */
const aheadMs = 5 * minuteMs
/** Older times are a camera without a clock. */
const oldestMs = Date.UTC(2010, 0, 1)

/**
 * Reads time, position and device of a photograph from its EXIF block; where the block has no time, from the fields `takenAt` (epoch
 * milliseconds), `lng` and `lat` (WGS-84) of the upload. Values that cannot be true are left out.
 */
export function evidenceOf(body: Buffer, fields: Readonly<Record<string, string>>, now: number): Evidence {
  const exif = exifOf(body)
  const plausible = (at: number | undefined) =>
    at !== undefined && Number.isFinite(at) && at > oldestMs && at <= now + aheadMs ? new Date(at) : undefined
  const byCamera = plausible(exif.takenAt)
  const byDevice = fields.takenAt === undefined ? undefined : plausible(Number(fields.takenAt))
  const place = placeOf(exif.lng, exif.lat) ?? placeOf(numberOf(fields.lng), numberOf(fields.lat))
  return {
    takenAt: byCamera ?? byDevice ?? null,
    takenFrom: byCamera ? 'exif' : byDevice ? 'device' : null,
    lng: place?.lng ?? null,
    lat: place?.lat ?? null,
    device: exif.device || null,
  }
}

const numberOf = (text: string | undefined) => (text === undefined || text === '' ? undefined : Number(text))

/** 0, 0 is what a receiver without a fix writes. */
function placeOf(lng: number | undefined, lat: number | undefined): { lng: number; lat: number } | undefined {
  if (lng === undefined || lat === undefined || !(Math.abs(lng) <= 180 && Math.abs(lat) <= 90) || (lng === 0 && lat === 0)) return undefined
  return { lng, lat }
}

const longestDevice = 80

interface Exif {
  takenAt?: number | undefined
  lng?: number | undefined
  lat?: number | undefined
  device?: string
}
function exifOf(body: Buffer): Exif {
  try {
    const { exif, gps } = ExifReader.load(body, {
      expanded: true,
      includeUnknown: false,
      excludeTags: { xmp: true, iptc: true, icc: true },
    })
    return {
      takenAt: timeOf(exif?.DateTimeOriginal?.description, exif?.OffsetTimeOriginal?.description),
      lng: gps?.Longitude,
      lat: gps?.Latitude,
      device: [exif?.Make?.description, exif?.Model?.description].filter(Boolean).join(' ').replaceAll('\0', '').slice(0, longestDevice),
    }
  } catch {
    // No picture, or a picture without a readable block.
    return {}
  }
}

/** 2026:11:02 08:12:30, in the zone of the offset (+08:00), or in Beijing time without one. */
function timeOf(text: string | undefined, offset: string | undefined): number | undefined {
  const [, y, mo, d, h, mi, s] = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/.exec(text ?? '') ?? []
  if (y === undefined) return undefined
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(offset ?? '') ?? []
  const shift = sign === undefined ? shanghaiOffsetMs : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs
  return Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s)) - shift
}

/**
 * Compares the content with the hash that the device computed before sending.
 * @throws AppError `invalidInput` when the file was damaged on its way
 */
export function requireIntact(sent: string | undefined, received: string): void {
  if (sent !== undefined && sent.toLowerCase() !== received)
    throw new AppError('invalidInput', '文件在传输中损坏，请重新上传', { field: 'file' })
}

/** How long before a finding a photograph of it may have been taken. */
export const findingLeadMs = dayMs
