import { z } from 'zod'
import { text } from '../kit/fields.ts'
import { type NoticeChannel, noticeChannel, noticeChannels } from './codes.ts'

/** Maximum number of roles that one setting may notify. */
const mostRoles = 10

/** Roles to notify. People are looked up when a message is sent, so that people who have left are not notified. */
export const tellRoles = (usual: readonly string[]) =>
  z
    .array(text(40))
    .min(1, '请至少选择一个接收角色')
    .max(mostRoles, `接收角色最多 ${mostRoles} 个`)
    .default([...usual])

export const tellChannels = z
  .array(z.enum(Object.keys(noticeChannels) as [NoticeChannel, ...NoticeChannel[]], { error: '通知方式不正确' }))
  .min(1, '请至少选择一种通知方式')
  .default([noticeChannel.inApp])

/** Whether a time of day (`HH:MM`) is in the quiet hours. They may cross midnight; if start and end are equal, there are none. */
export const isQuiet = (at: string, from: string, to: string): boolean => (from <= to ? at >= from && at < to : at >= from || at < to)
