import { randomBytes } from 'node:crypto'
import { maskIdCard } from '@zhugong/contract/kit/checks'
import { projectBody as projectSchema } from '@zhugong/contract/organisation/model'
import { fillProject } from '@zhugong/contract/organisation/projects'
import type pg from 'pg'
import { createSecrets, type Secrets } from '#kit/secret'
import { hashToken } from '#kit/serve'
import type { CityWorld } from '../city.ts'
import { allFixtures } from '../fixtures/all.ts'
import { idCard } from '../givens.ts'
import type { Caller, World } from '../world.ts'
import { cloneRow, freshId, oneRow } from './clone-row.ts'
import type { CompanyRows, SiteRows, Uploader } from './site-rows.ts'
import type { Part } from './table.ts'

export interface SiteOfParts {
  site: SiteRows
  asker: Record<Part, Uploader>
  company: Record<Part, CompanyRows>
  as: Record<Part, Caller>
}

/** Part type of the six companies of the site, and whether they have left. */
const partTypes: Record<Part, { corpType: string; left: boolean }> = {
  owner: { corpType: '008', left: false },
  leader: { corpType: '009', left: false },
  supervisor: { corpType: '007', left: false },
  subcontractor: { corpType: '006', left: false },
  exited: { corpType: '006', left: true },
  former: { corpType: '009', left: true },
}

/**
 * Builds a site on which each part is a separate company with its own people and machines, and with an administrator who has every
 * permission code.
 */
export async function siteOfParts(world: World, settled: CityWorld, which = 0): Promise<SiteOfParts> {
  const pool = world.database.pool
  const project = settled.city.projects[which]
  if (!project) throw new Error('the city has no project')
  const { projectCode } = project
  const rows = await siteRows(pool, projectCode)
  const made = await Promise.all(
    (Object.keys(partTypes) as Part[]).map(async (part) => {
      const rows = await companyRows(pool, createSecrets(world.config.secretKey), projectCode, part)
      const { token, fileId } = await sessionOf(pool, rows.corpCode, `${part}.${which}`)
      return { part, rows, caller: world.caller(token), asker: { fileId } }
    }),
  )
  const leader = made.find(({ part }) => part === 'leader')?.caller
  const file: Record<string, unknown> = { ...(await leader?.call(fillProject, { params: { projectCode } })) }
  const fields = Object.keys(projectSchema.shape)
  const projectBody = Object.fromEntries(Object.entries(file).filter(([key]) => fields.includes(key) && key !== 'linkPhone')) as never
  const site: SiteRows = { ...rows, projectBody }
  for (const { siteRows: insert } of allFixtures) await insert?.(pool, site)
  for (const { companyRows: insert } of allFixtures) await Promise.all(made.map(({ rows: company }) => insert?.(pool, company, site)))
  return {
    site,
    company: Object.fromEntries(made.map(({ part, rows: r }) => [part, r])) as Record<Part, CompanyRows>,
    asker: Object.fromEntries(made.map(({ part, asker }) => [part, asker])) as Record<Part, Uploader>,
    as: Object.fromEntries(made.map(({ part, caller }) => [part, caller])) as Record<Part, Caller>,
  }
}

/** The city's company with this part. For parts that have left, which the city does not have, inserts an invented company. */
async function companyOf(pool: pg.Pool, projectCode: string, part: Part): Promise<{ corpCode: string; projectCorpId: string }> {
  const { corpType, left } = partTypes[part]
  const like = await oneRow<{ id: string; corp_code: string }>(
    pool,
    'select id, corp_code from project_corp where project_code = $1 and corp_type = $2 and exit_time is null order by id',
    [projectCode, corpType],
  )
  if (!left) return { corpCode: like.corp_code, projectCorpId: like.id }
  const corpCode = `9142020X${randomBytes(5).toString('hex').toUpperCase()}`
  await cloneRow(pool, 'corporation', like.corp_code, { id: freshId(), corp_code: corpCode, corp_name: `已离场单位${part}` }, 'corp_code')
  await pool.query('insert into tenant (id, type, code, name) values ($1, 2, $2, $3)', [freshId(), corpCode, `已离场单位${part}`])
  const projectCorpId = await cloneRow(pool, 'project_corp', like.id, {
    corp_code: corpCode,
    exit_time: '2026-11-01',
    stationed: '2',
    parent_corp_code: null,
  })
  return { corpCode, projectCorpId }
}

async function companyRows(pool: pg.Pool, secrets: Secrets, projectCode: string, part: Part): Promise<CompanyRows> {
  const { corpCode, projectCorpId } = await companyOf(pool, projectCode, part)
  // A company that has left has no active people; its records are from its time on site.
  const exit = partTypes[part].left ? '2026-11-01' : null
  const like = await oneRow<{ team: string; stay: string; pt: string; worker: string; name: string }>(
    pool,
    `select t.id as team, pw.id as stay, pt.id as pt, pw.worker_id as worker, pw.worker_name as name from project_worker pw
       join team t on t.id = pw.team_id join project_team pt on pt.team_id = t.id
       join worker_cert c on c.worker_id = pw.worker_id join worker_contract k on k.worker_id = pw.worker_id
     where pw.project_code = $1 and pw.exit_time is null and pw.work_role = '20' order by pw.id limit 1`,
    [projectCode],
  )
  const person = async (stay: { exit_time: string | null; team_id: string; formal_status?: string }) => {
    const [id, idCardNumber] = [freshId(), idCard()]
    const hash = secrets.blindIndex('id-card', idCardNumber)
    await cloneRow(pool, 'worker', like.worker, {
      id,
      id_card_hash: hash,
      id_card_number: `\\x${secrets.seal(idCardNumber)?.toString('hex')}`,
      id_card_mask: maskIdCard(idCardNumber),
      deleted: false,
      owner_group: null,
    })
    const stayId = await cloneRow(pool, 'project_worker', like.stay, {
      worker_id: id,
      corp_code: corpCode,
      id_card_hash: hash,
      card_number: null,
      is_team_leader: false,
      stationed: stay.exit_time ? '2' : '1',
      ...stay,
    })
    return { id, stayId, card: { name: like.name, idCardNumber } }
  }
  const team = (name: string, exitTime: string | null) =>
    pool.query<{ n: string }>(`select nextval('team_sys_no_seq') as n`).then(({ rows }) =>
      cloneRow(pool, 'team', like.team, {
        team_sys_no: Number(rows[0]?.n),
        corp_code: corpCode,
        team_name: name,
        exit_time: exitTime,
        team_leader_id: null,
        team_leader_name: null,
        entry_time: '2026-10-01',
      }),
    )
  const teamId = await team(`${part}一班`, exit)
  const leftTeamId = await team(`${part}二班`, '2026-11-01')
  const emptyTeamId = await team(`${part}三班`, '2026-11-01')
  const projectTeamId = await cloneRow(pool, 'project_team', like.pt, { team_id: teamId, corp_code: corpCode, exit_time: exit })
  const { id: worker, stayId: projectWorkerId, card } = await person({ exit_time: exit, team_id: teamId })
  const newcomer = await person({ exit_time: exit, team_id: teamId, formal_status: '0' })
  const left = await person({ exit_time: '2026-11-01', team_id: leftTeamId })
  return {
    key: `${projectCode} ${part}`,
    corpCode,
    projectCorpId,
    teamId,
    leftTeamId,
    emptyTeamId,
    leftWorker: left.card,
    newStayId: newcomer.stayId,
    projectTeamId,
    workerId: worker,
    worker: card,
    projectWorkerId,
    ...(await machineRows(pool, projectCode, corpCode)),
  }
}

async function machineRows(pool: pg.Pool, projectCode: string, corpCode: string) {
  const crane = await oneRow<{ id: string }>(
    pool,
    `select id from device where project_code = $1 and family = 'towerCrane' and status = '1' order by id`,
    [projectCode],
  )
  const machine = (sn = `PART-${freshId().slice(0, 10)}`) =>
    cloneRow(pool, 'device', crane.id, {
      device_sn: sn,
      name: `塔机 ${sn}`,
      owner_corp: corpCode,
      protocol: 'http',
      access: { protocol: 'http' },
      access_key: sn,
      gateway_id: null,
      status: '1',
    })
  return { deviceId: await machine(), spareDeviceId: await machine() }
}

/** A device of each family: the site's own, or a copy of another site's device. */
async function devicesOf(pool: pg.Pool, projectCode: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ family: string; id: string; project_code: string }>(
    `select distinct on (family) family, id, project_code from device order by family, project_code <> $1, status <> '1', id`,
    [projectCode],
  )
  const found = rows.map(async ({ family, id, project_code }) => {
    if (project_code === projectCode) return [family, id] as const
    const sn = `SITE-${freshId().slice(0, 10)}`
    const changes = { device_sn: sn, access_key: sn, protocol: 'http', access: { protocol: 'http' }, gateway_id: null }
    return [family, await cloneRow(pool, 'device', id, { project_code: projectCode, ...changes })] as const
  })
  return new Map(await Promise.all(found))
}

async function siteRows(pool: pg.Pool, projectCode: string): Promise<Omit<SiteRows, 'projectBody'>> {
  const devices = await devicesOf(pool, projectCode)
  const user = await oneRow<{ id: string }>(
    pool,
    `select m.user_id as id from member m join tenant t on t.id = m.group_id where t.type = 3 and t.code = $1 order by m.user_id`,
    [projectCode],
  )
  const body = await oneRow<{ gov_code: string }>(pool, 'select supervise_org as gov_code from project where project_code = $1', [
    projectCode,
  ])
  return {
    key: projectCode,
    projectCode,
    device(family) {
      const id = devices.get(family)
      if (!id) throw new Error(`the city has no ${family}`)
      return id
    },
    userId: user.id,
    govCode: body.gov_code,
  }
}

/** Creates an administrator of the company with a session and an uploaded file. */
async function sessionOf(pool: pg.Pool, corpCode: string, name: string): Promise<{ token: string; fileId: string }> {
  const group = await oneRow<{ id: string }>(pool, 'select id from tenant where type = 2 and code = $1', [corpCode])
  const role = await oneRow<{ id: string }>(
    pool,
    `select id from role where group_id is null and groups_type = 2 and name = '企业管理员'`,
    [],
  )
  const [userId, memberId, token] = [freshId(), freshId(), randomBytes(32).toString('base64url')]
  await pool.query(`insert into app_user (id, account, name, password_hash) values ($1, $2, $3, 'none')`, [
    userId,
    `part.${name}`,
    `${name}管理员`,
  ])
  await pool.query('insert into member (id, user_id, group_id) values ($1, $2, $3)', [memberId, userId, group.id])
  await pool.query('insert into member_role (member_id, role_id) values ($1, $2)', [memberId, role.id])
  await pool.query(
    `insert into session (token_hash, user_id, group_id, live, entry, ip, expires_at, hard_expires_at)
     values ($1, $2, $3, false, 'default', '127.0.0.1', now() + interval '1 hour', now() + interval '2 hours')`,
    [hashToken(token), userId, group.id],
  )
  const fileId = freshId()
  await pool.query(
    `insert into stored_file (id, group_id, name, mime, bytes, sha256, create_by) values ($1, $2, '照片.jpg', 'image/jpeg', 3, $1, $3)`,
    [fileId, group.id, userId],
  )
  return { token, fileId }
}
