import type { NoticeChannel } from '@zhugong/contract/notify/codes'
import type pg from 'pg'

export interface NoticeSettings {
  pool: pg.Pool
  /** Whether each channel is configured in this installation. */
  ready: Readonly<Record<NoticeChannel, boolean>>
}
