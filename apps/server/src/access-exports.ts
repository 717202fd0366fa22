import { auditList, userList } from '@zhugong/contract/access/endpoints'
import { groupUserList, roleSources } from '@zhugong/contract/access/group-roles'
import { groupTypeName } from '@zhugong/contract/access/group-types'
import { isOn } from '@zhugong/contract/kit/enable'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { auditRows, countAudit } from '#domains/access/audit-calls'
import { groupUserConditions, groupUserOrder, groupUsers, type RawGroupUser, toGroupUser } from '#domains/access/group-users'
import { lockedAccounts, type RawUser, toUser, userConditions, userOrder, userRows } from '#domains/access/user-rows'
import { exportOf, pagesOf } from '#domains/exports/registry'

/**
 * Registers the exports of accounts, members and the audit log. They are here because the exports domain depends on the access domain, so
 * the access domain cannot call it.
 */
export function registerAccessExports(): void {
  userFile()
  groupUserFile()
  auditFile()
}

function userFile(): void {
  exportOf(
    userList,
    {
      title: '账号',
      widths: { groups: 30, roles: 24 },
      async *rows(ctx, query) {
        const where = await userConditions(ctx, query)
        const { rows } = await sql<RawUser>`select * from ${userRows(ctx)} u where ${where} order by ${userOrder(query)}`.execute(ctx.db)
        const locked = await lockedAccounts(ctx)
        for (const row of rows) yield toUser(row, locked)
      },
      count: async (ctx, query) => {
        const where = await userConditions(ctx, query)
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${userRows(ctx)} u where ${where}`.execute(ctx.db)
        return rows[0]?.n ?? 0
      },
    },
    {
      account: (u) => u.account,
      name: (u) => u.name,
      groups: (u) => u.groups.map((one) => one.groupName).join('、'),
      groupsType: (u) => [...new Set(u.groups.map((one) => groupTypeName(one.groupsType)))].join('、'),
      roles: (u) => u.groups.flatMap((one) => one.roles.map((role) => role.name)).join('、'),
      dataScope: (u) => u.groups.map((one) => dictName('dataScope', one.dataScope)).join('、'),
      expireDate: (u) => u.expireDate,
      lastLogin: (u) => u.lastLogin,
      secondFactor: (u) => (u.secondFactor ? '已开启' : '未开启'),
      locked: (u) => u.lockedUntil,
      enable: (u) => (isOn(u.enable) ? '启用' : '停用'),
      createTime: (u) => u.createTime,
    },
  )
}

function groupUserFile(): void {
  exportOf(
    groupUserList,
    {
      title: '组内权限',
      widths: { roles: 30 },
      async *rows(ctx, query) {
        const where = groupUserConditions(ctx, query)
        const { rows } = await sql<RawGroupUser>`
          select * from (${groupUsers(ctx)}) m where ${where} order by ${groupUserOrder(query)}`.execute(ctx.db)
        for (const row of rows) yield toGroupUser(row)
      },
      count: async (ctx, query) => {
        const where = groupUserConditions(ctx, query)
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${groupUsers(ctx)}) m where ${where}`.execute(ctx.db)
        return rows[0]?.n ?? 0
      },
    },
    {
      name: (m) => m.name,
      account: (m) => m.account,
      dept: (m) => m.departments.join('、'),
      post: (m) => m.posts.join('、'),
      roles: (m) => m.roles.map((role) => role.name).join('、'),
      projects: (m) => (m.roles.some((role) => !role.tied) ? '本组全部' : '指定项目'),
      expireDate: (m) => m.deadline,
      source: (m) => m.sources.map((one) => roleSources.find((source) => source.value === one)?.label ?? one).join('、'),
      lastLogin: (m) => m.lastLogin,
    },
  )
}

function auditFile(): void {
  exportOf(
    auditList,
    {
      title: '审计日志',
      widths: { at: 20, summary: 60, groupName: 24, objectId: 34 },
      rows: (ctx, query) => pagesOf(query, (page) => auditRows(ctx, page)),
      count: (ctx, query) => countAudit(ctx, query),
    },
    {
      at: (row) => row.at,
      userName: (row) => row.userName,
      account: (row) => row.account,
      groupName: (row) => row.groupName,
      summary: (row) => row.summary,
      action: (row) => row.action,
      objectId: (row) => row.objectId,
      projectCode: (row) => row.projectCode,
      result: (row) => (row.result === 'ok' ? '成功' : '未成功'),
      ip: (row) => row.ip,
    },
  )
}
