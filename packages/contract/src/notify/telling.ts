import { z } from 'zod'
import { text } from '../kit/fields.ts'
import { type NoticeChannel, noticeChannel, noticeChannels } from './codes.ts'

/** Roles one setting may tell, in one message. */
const mostRoles = 10

/** Who is told: roles are looked up when something is sent, so that whoever has left is not told any more. */
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

/** Whether nobody is told at this time of day (`HH:MM`); the span may cross midnight, and one of no length is none. */
export const isQuiet = (at: string, from: string, to: string): boolean => (from <= to ? at >= from && at < to : at >= from || at < to)
