import * as contract from '@zhugong/contract/identity/my-account'
import { maskName } from '@zhugong/contract/kit/checks'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { joinsOf, tellOfJoins } from '../access/public.ts'
import { tellOne } from '../notify/public.ts'
import { groupCardsOf } from './groups.ts'
import type { CodeSenders } from './passwords.ts'
import type { Authenticator } from './sessions.ts'

/** The user's own account: groups and roles with their ends, security settings, contact data. */
export function myAccountRoutes(serve: Serve, authenticate: Authenticator, senders: CodeSenders) {
  tellOfJoins((db, { userId, groupName, by }, now) =>
    tellOne(
      db,
      {
        userId,
        kind: 'notify',
        title: `${groupName} 邀请您加入`,
        text: `${by} 邀请您加入 ${groupName}。请在“个人设置”接受或谢绝；接受之前对方看不到、也管不到您的账号。`,
        link: '/system/personal/user',
      },
      now,
    ),
  )
  serve(contract.getMyAccount, getMyAccount(senders))
  serve(contract.muteMyNotices, muteMyNotices)
  serve(contract.endOtherSessions, endOtherSessions(authenticate))
}

const getMyAccount =
  (senders: CodeSenders): HandlerOf<typeof contract.getMyAccount> =>
  async (_input, ctx) => {
    const user = await ctx.system.selectFrom('appUser').selectAll().where('id', '=', ctx.user.id).executeTakeFirstOrThrow()
    const [cards, roles, person, joins] = await Promise.all([
      groupCardsOf(ctx, user.id),
      sql<{ groupId: string; name: string; deadline: string | null }>`
        select m.group_id, r.name, mr.deadline::text from member m join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id
        where m.user_id = ${user.id} order by r.name`.execute(ctx.system),
      user.workerId ? ctx.system.selectFrom('worker').select('name').where('id', '=', user.workerId).executeTakeFirst() : undefined,
      joinsOf(ctx, user.id),
    ])
    return {
      ...pick(user, 'account', 'name', 'phoneMask', 'emailMask'),
      createTime: formatInstant(user.createTime),
      passwordTime: formatInstant(user.passwordAt),
      passwordAgeDays: Math.floor((ctx.clock.now() - user.passwordAt.getTime()) / dayMs),
      secondFactor: { on: user.otpSecret !== null, recoveryLeft: user.recoveryCodes.length },
      personName: person ? maskName(person.name) : null,
      groups: cards.map((card) => ({
        id: card.id,
        name: card.name,
        groupsType: card.groupsType,
        current: card.id === ctx.group.id,
        isDefault: card.isDefault,
        enabled: card.enabled,
        deadline: card.deadline,
        roles: roles.rows.filter((role) => role.groupId === card.id).map(({ name, deadline }) => ({ name, deadline })),
      })),
      joins,
      muted: contract.mutedChannels.catch({}).parse(user.preferences.muted ?? {}),
      ready: { sms: senders.sms !== undefined, mail: senders.mail !== undefined },
    }
  }

const muteMyNotices: HandlerOf<typeof contract.muteMyNotices> = async ({ body }, ctx) => {
  await sql`update app_user set preferences = jsonb_set(preferences, '{muted}', ${JSON.stringify(body.muted)}::jsonb) where id = ${ctx.user.id}`.execute(
    ctx.system,
  )
  ctx.note('设置本人通知', ctx.user.id)
  return undefined
}

const endOtherSessions =
  (authenticate: Authenticator): HandlerOf<typeof contract.endOtherSessions> =>
  async (_input, ctx) => {
    const done = await ctx.system
      .deleteFrom('session')
      .where('userId', '=', ctx.user.id)
      .where('tokenHash', '!=', ctx.principal.sessionHash)
      .executeTakeFirst()
    authenticate.forget()
    ctx.note('退出本人的全部其他登录', ctx.user.id)
    return { ended: Number(done.numDeletedRows) }
  }
