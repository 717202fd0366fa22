import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changeRectify } from '@zhugong/contract/rectify/calls'
import type { Context } from '#kit/context'
import type { Notice } from './notice.ts'

export type Answer = Extract<ParsedFor<typeof changeRectify>['body'], { action: 'reply' }>['lines'][number]

/** A kind of record that notices come from: a check, an alarm. Registered by its own domain, which lies above this one. */
export interface NoticeSource {
  /** For links, for example 安全检查. */
  title: string
  /** Path of the page that shows the record. */
  page(id: string): string
  /** The project of a record that the caller may see; undefined when there is none. */
  projectOf(ctx: Context, id: string): Promise<string | undefined>
  /** Photographs of the record that a notice may show, though its issuer did not upload them. */
  photosOf?(ctx: Context, id: string): Promise<readonly string[]>
  /** The latest deadline that a notice from the record may have (yyyy-MM-dd). */
  latest?(ctx: Context, id: string): Promise<string | undefined>
  /** Why a notice cannot be closed yet although its issuer finds the work done, for example because a reading is still too high. */
  keepsOpen?(ctx: Context, notice: Notice): Promise<string | undefined>
  /** Where the site handles notices from the record; default: the page of all orders. */
  noticePage?(id: string): string
  /** A reply was sent, in its transaction. @throws AppError when it lacks what the record asks for */
  replied?(ctx: Context, notice: Notice, lines: readonly Answer[]): Promise<void>
  /** The notice was closed or revoked, in the transaction. */
  settled?(ctx: Context, notice: Notice): Promise<void>
}

const sources = new Map<string, NoticeSource>()

export function registerNoticeSource(kind: string, source: NoticeSource): void {
  sources.set(kind, source)
}

/** The source of a notice; undefined when it was written without one. */
export const sourceOf = (notice: Pick<Notice, 'sourceKind' | 'sourceId'>): NoticeSource | undefined =>
  notice.sourceKind === null ? undefined : sources.get(notice.sourceKind)

/**
 * The source that a new notice names.
 * @throws AppError `invalidInput` when the caller sees no such record in the project
 */
export async function givenSource(ctx: Context, projectCode: string, kind: string | null | undefined, id: string | null | undefined) {
  if (!kind || !id) return undefined
  if ((await sources.get(kind)?.projectOf(ctx, id)) !== projectCode)
    throw new AppError('invalidInput', '来源记录不存在或不属于该项目', { field: 'sourceId' })
  return { kind, id }
}

/** @throws AppError `invalidInput` when the deadline is later than the record allows that the notice comes from */
export async function requireInTime(ctx: Context, notice: Pick<Notice, 'sourceKind' | 'sourceId'>, deadline: string): Promise<void> {
  const latest = notice.sourceId === null ? undefined : await sourceOf(notice)?.latest?.(ctx, notice.sourceId)
  if (latest !== undefined && deadline > latest)
    throw new AppError('invalidInput', `期限不能晚于上级整改的期限 ${latest}`, { field: 'deadline' })
}
