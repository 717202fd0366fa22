import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/organisation/projects'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { phoneColumns } from './project-rules.ts'

type ProjectInput = NonNullable<(typeof contract.createProject | typeof contract.updateProject)['types']>['parsed']['body']

export function projectColumns(ctx: Pick<Context, 'secrets'>, body: ProjectInput) {
  const { version: _version, linkPhone, areaRule, builderLicenses, ...rest } = body
  return {
    ...rest,
    ...phoneColumns(ctx, linkPhone),
    ...(areaRule === undefined ? {} : { areaRule: JSON.stringify(areaRule) }),
    builderLicenses: JSON.stringify(builderLicenses),
  }
}

export function sameName(error: unknown): unknown {
  return isUniqueViolation(error) ? new AppError('refused', '同一地区已有同名项目', { field: 'name' }) : error
}
