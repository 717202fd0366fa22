import type { Context } from '#kit/context'
import { heldBy } from '../checks/public.ts'
import { heldDayChecks } from '../daychecks/public.ts'
import { noticeWork } from '../rectify/public.ts'

/** What an officer did on a site, of any kind of record. */
export interface SiteRecord {
  /** Unique in a day. */
  id: string
  byId: string
  title: string
  code: string | null
  link: string
  projectCode: string
  projectName: string
  time: Date
  photos: string[]
}

/** Kinds of checks that an authority may hold beside daily checks. */
const checkPages: Readonly<Record<string, { title: string; page: string }>> = {
  securityCheck: { title: '安全检查', page: '/securityCheck/securityCheckdetail' },
  safetyInspection: { title: '评分检查', page: '/safetyInspection/details' },
}
export const heldKinds = Object.keys(checkPages)
const workTitles: Readonly<Record<string, string>> = {
  issue: '下发整改',
  serve: '送达整改',
  recheckPass: '整改复查',
  recheckFail: '整改复查',
}

/** The records of the officers of the caller's institution in this time, the earliest first. */
export async function recordsOf(ctx: Pick<Context, 'db' | 'group'>, byId: string | undefined, from: Date, to: Date): Promise<SiteRecord[]> {
  const checks = (await heldBy(ctx, heldKinds, byId, from, to)).map(({ kind, checkerId, ...check }): SiteRecord => {
    const { title = '检查', page = '/securityCheck/securityCheckdetail' } = checkPages[kind] ?? {}
    return { ...check, byId: checkerId, title, link: `${page}?id=${check.id}` }
  })
  const daily = (await heldDayChecks(ctx, byId, from, to)).map(
    ({ checkerId, id, ...check }): SiteRecord => ({
      ...check,
      id: `${id}${checkerId}`,
      byId: checkerId,
      title: '日常检查',
      link: `/jgt/daycheck/details?id=${id}`,
    }),
  )
  const work = (await noticeWork(ctx, byId, from, to)).map(
    ({ action, id, ...one }): SiteRecord => ({
      ...one,
      id: `${id}${action}${one.time.getTime()}`,
      title: workTitles[action] ?? action,
      link: `/jgt/project/project_detail?id=${id}`,
      photos: [],
    }),
  )
  return [...checks, ...daily, ...work].sort((a, b) => a.time.getTime() - b.time.getTime())
}
