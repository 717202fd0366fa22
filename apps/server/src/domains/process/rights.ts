import { AppError } from '@zhugong/contract/kit/errors'
import type { Move } from '@zhugong/contract/kit/process'
import { mayAct } from '#kit/acts'
import type { Context } from '#kit/context'
import { codesWithin } from '#kit/reach'
import type { Kind, Stated } from './kind.ts'

/** Why the caller lacks a right over a row: code, part in the project, or turn; undefined when he has it. `label`: what he would do. */
export function refusedRight<Row extends Stated>(
  ctx: Context,
  kind: Pick<Kind<Row, Readonly<Record<string, Move>>>, 'turns'>,
  row: Row,
  { needs, acts, turn }: Pick<Move, 'needs' | 'acts' | 'turn'>,
  label: string,
): AppError | undefined {
  const { projectCode, corpCode } = row
  const codes = projectCode === null ? ctx.principal.codes : codesWithin(ctx.principal, [projectCode])
  if (![needs].flat().some((code) => codes.has(code))) return new AppError('forbidden', `您没有${label}的权限`)
  if (ctx.scopeChecks && !mayAct(ctx, acts, { projectCode: projectCode ?? undefined, corpCode }))
    return new AppError('forbidden', `您的单位在该项目的身份不能${label}`)
  return kind.turns[turn]?.(ctx, row) ? undefined : new AppError('forbidden', `现在不由您${label}`)
}
