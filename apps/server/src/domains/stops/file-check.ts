import { AppError } from '@zhugong/contract/kit/errors'
import type { StopEffect } from '@zhugong/contract/stops/calls'
import type { Context } from '#kit/context'

type Reader = Pick<Context, 'db' | 'scope' | 'scopeChecks'>
type FileCheck = (ctx: Reader, projectCode: string) => Promise<readonly string[]>
let check: FileCheck = () => Promise.resolve([])

/** Says what the supervision file of a project lacks. Registered by whoever keeps that file. */
export function registerFileCheck(fn: FileCheck): void {
  check = fn
}

export const missingPapers = async (ctx: Reader, projectCode: string): Promise<StopEffect[]> =>
  (await check(ctx, projectCode)).map((value) => ({
    label: '监督资料',
    value,
    link: `/useMonitor?projectCode=${projectCode}`,
    level: 'block',
  }))

/** @throws AppError `refused` naming every paper that the file lacks: it is closed with the supervision */
export async function requireFile(ctx: Reader, projectCode: string): Promise<void> {
  const missing = await missingPapers(ctx, projectCode)
  if (missing.length === 0) return
  throw new AppError('refused', `监督资料不齐，还不能终止监督：${missing.map((one) => one.value).join('；')}`, {
    field: 'type',
    open: missing,
  })
}
