import { resetFactor as resetFactorCall } from '@zhugong/contract/access/users'
import * as contract from '@zhugong/contract/identity/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { mapTypes } from '@zhugong/contract/organisation/map-type'
import { rightsIn } from '#kit/acts'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { brandsAbove, hashPassword, narrow, shownBrand, shownInfoOf, shownMapType } from '../access/public.ts'
import { shownLinks } from '../files/public.ts'
import { drawCaptcha } from './captcha.ts'
import { resetFactor } from './factor-reset.ts'
import { groupCardsOf, isShown, ownRightsInGroups } from './groups.ts'
import { logIn } from './log-in.ts'
import { myAccountRoutes } from './my-account.ts'
import { myContactRoutes } from './my-contact.ts'
import { mySafetyRoutes } from './my-safety.ts'
import { requireOwnPassword } from './own-password.ts'
import { ownProjectRoutes, rememberEntry } from './own-projects.ts'
import { type CodeSenders, forgottenPasswordRoutes, requireFreshPassword, writePassword } from './passwords.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { type Authenticator, closeSession, prolongSession } from './sessions.ts'

export function identityRoutes(serve: Serve, authenticate: Authenticator, senders: CodeSenders) {
  mySafetyRoutes(serve, authenticate)
  myAccountRoutes(serve, authenticate, senders)
  secondFactorRoutes(serve, authenticate)
  forgottenPasswordRoutes(serve, authenticate, senders)
  serve.open(contract.captcha, (_input, ctx) => drawCaptcha(ctx))
  serve.open(contract.login, ({ body }, ctx) => logIn(ctx, body, ctx.headers['user-agent'] ?? ''))

  serve(contract.logout, logout(authenticate))
  serve(contract.refreshToken, async (_input, ctx) => ({
    // The token is not replaced: a refresh in one tab must not log out another tab of the same browser.
    keepLive: await prolongSession(ctx.system, ctx.clock, ctx.principal.sessionHash),
  }))

  serve(contract.getMyInfo, (_input, ctx) => myInfoOf(ctx))
  serve(contract.changePassword, changePassword(authenticate))

  myContactRoutes(serve, senders)

  serve(contract.ownGroups, async (_input, ctx) => {
    const list = (await groupCardsOf(ctx, ctx.user.id)).filter((card) => isShown(card, ctx.clock.now()))
    return { list, total: list.length }
  })

  serve(resetFactorCall, resetFactor(authenticate, senders))
  serve(contract.switchProject, switchProject(authenticate))
  ownProjectRoutes(serve)
}

const logout =
  (authenticate: Authenticator): HandlerOf<typeof contract.logout> =>
  (_input, ctx) => {
    ctx.afterCommit(async () => {
      await closeSession(ctx.system, ctx.principal.sessionHash)
      authenticate.forget()
    })
    return undefined
  }

const changePassword =
  (authenticate: Authenticator): HandlerOf<typeof contract.changePassword> =>
  async ({ body }, ctx) => {
    const user = await requireOwnPassword(ctx, body.oldPassword, 'oldPassword', '原密码不正确')
    await requireFreshPassword(user, body.newPassword)
    const passwordHash = await hashPassword(body.newPassword)
    ctx.afterCommit(async () => {
      await writePassword(ctx, user, passwordHash, ctx.principal.sessionHash)
      authenticate.forget()
    })
    return undefined
  }

const switchProject =
  (authenticate: Authenticator): HandlerOf<typeof contract.switchProject> =>
  async ({ body }, ctx) => {
    const groups = await groupCardsOf(ctx, ctx.user.id)
    const target = groups.find((g) => g.id === (body.groupId ?? ctx.group.id))
    if (!target) throw new AppError('forbidden', '您不属于该机构')
    if (!target.enabled) throw new AppError('refused', '该机构已停用或您的授权已到期')
    if (body.projectCode !== '*') {
      // When switching groups, the target group's scope decides, not the current one.
      const scope = target.id === ctx.group.id ? ctx.scope : (await ownRightsInGroups(ctx, ctx.user.id, [target.id]))[0]?.scope
      if (!scope || !narrow(scope, body.projectCode) || !(await isProject(ctx, body.projectCode))) {
        throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
      }
    }
    const entered = target.groupsType === groupTypes.project ? target.code : body.projectCode
    if (entered !== '*') await rememberEntry(ctx, target.id, entered)
    const { system } = ctx
    await system
      .updateTable('session')
      .set({ groupId: target.id, projectCode: body.projectCode })
      .where('tokenHash', '=', ctx.principal.sessionHash)
      .execute()
    await system
      .updateTable('member')
      .set({ lastVisitAt: new Date(ctx.clock.now()), ...(body.makeDefault === undefined ? {} : { isDefault: body.makeDefault }) })
      .where('userId', '=', ctx.user.id)
      .where('groupId', '=', target.id)
      .execute()
    if (body.makeDefault) {
      await system
        .updateTable('member')
        .set({ isDefault: false })
        .where('userId', '=', ctx.user.id)
        .where('groupId', '!=', target.id)
        .execute()
    }
    authenticate.forget()
    const principal = await authenticate.again(ctx.principal.sessionHash)
    return myInfoOf({ ...ctx, principal })
  }

/** The scope check passes any code for users who see everything, so existence is checked too. */
const isProject = async ({ system }: Pick<Context, 'system'>, code: string): Promise<boolean> =>
  (await system.selectFrom('project').select('projectCode').where('projectCode', '=', code).executeTakeFirst()) !== undefined

async function myInfoOf(ctx: Pick<Context, 'system' | 'principal' | 'clock' | 'secrets'>) {
  const { group, user } = ctx.principal
  const row = await ctx.system.selectFrom('appUser').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
  const session = await ctx.system
    .selectFrom('session')
    .select('projectCode')
    .where('tokenHash', '=', ctx.principal.sessionHash)
    .executeTakeFirst()
  const tenant = group ? await ctx.system.selectFrom('tenant').selectAll().where('id', '=', group.id).executeTakeFirst() : undefined
  const above = tenant ? await brandsAbove(ctx.system, tenant) : []
  const look = tenant && shownBrand(tenant, above)
  return {
    ...pick(user, 'id', 'account', 'name'),
    phone: row.phoneMask,
    groupsType: group?.type ?? groupTypes.project,
    groupId: group?.id ?? null,
    groupName: group?.name ?? null,
    projectCode: group?.type === groupTypes.project ? group.code : (session?.projectCode ?? '*'),
    operator: [...ctx.principal.codes].sort(),
    standing: rightsIn(ctx.principal.scope),
    mustChangePassword: row.mustChange,
    mustSetSecondFactor: user.mustSetSecondFactor === true && row.otpSecret === null,
    passwordAgeDays: Math.floor((ctx.clock.now() - row.passwordAt.getTime()) / 86_400_000),
    lastLogin: row.lastLoginAt ? { at: formatInstant(row.lastLoginAt), ip: row.lastLoginIp ?? '' } : null,
    profile: {
      sysName: look?.sysName.value ?? '筑工',
      logo: look?.logo.value ? (shownLinks(ctx, [look.logo.value])[0] ?? null) : null,
      primaryColor: look?.primaryColor.value ?? null,
      mapType: tenant ? shownMapType(tenant, above) : mapTypes.module,
    },
    help: shownInfoOf(tenant ?? { name: '', settings: {} }, above, formatDay(ctx.clock.now())),
  }
}
