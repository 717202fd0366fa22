import { dayMs } from '@zhugong/contract/kit/time'
import { retention } from '@zhugong/contract/settings/system'
import { forgetFiles } from '#domains/files/public'
import { forgetMarks } from '#domains/monitoring/video/video-marks'
import type { Db } from '#kit/db'

/**
 * Deletes pictures sent by devices after the number of days that the operator set. Records and hashes are kept. Returns the number of
 * deleted files per kind.
 */
export async function forgetPictures(db: Db, folder: string, now: number): Promise<{ attendance: number; device: number; video: number }> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', 'retention').executeTakeFirst()
  const kept = retention.parse(row?.value ?? {})
  const before = (days: number) => new Date(now - days * dayMs)
  const marked = await forgetMarks(db, before(kept.videoDays))
  return {
    attendance: await forgetFiles(db, folder, 'attendance', { before: before(kept.attendancePictureDays) }),
    device: await forgetFiles(db, folder, 'device', { before: before(kept.devicePictureDays) }),
    video: await forgetFiles(db, folder, 'video', { only: marked }),
  }
}
